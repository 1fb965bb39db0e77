// Keys, and the start.

const help = document.getElementById('help');
const arrows = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

const keys = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    1: () => viewer?.show('side'),
    2: () => viewer?.show('slider'),
    3: () => viewer?.show('blink'),
    '+': () => viewer?.zoom(true),
    '=': () => viewer?.zoom(true),
    '-': () => viewer?.zoom(false),
    0: () => viewer?.fit(),
    p: () => viewer?.setPaused(!viewer.isPaused),
    a: () => openRow && toggleAccepted(openRow),
    f: () => filters.name.focus(),
    '?': () => help.showModal(),
    ArrowLeft: () => moveSideways(-1),
    ArrowRight: () => moveSideways(1),
};

function moveSideways(step) {
    if (viewName === 'slider') viewer?.moveSplit(step * 20);
    if (viewName === 'blink' && viewer) {
        viewer.setPaused(true);
        viewer.turn();
    }
}

/** Whether the focused element has its own use for a key. */
function isTaken(element, key) {
    return element.matches('select, textarea, input:not([type="range"])')
        || (element.matches('input') && key.startsWith('Arrow'));
}

document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || help.open) return;
    if (event.key === 'Escape') event.target.blur();
    if (isTaken(event.target, event.key)) return;
    const action = event.shiftKey && event.key in arrows
        ? () => viewer?.frame.pan(...arrows[event.key].map((step) => step * 40)) : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
});

for (const row of rows) row.addEventListener('click', () => open(row));
for (const type of ['input', 'change']) document.getElementById('filters').addEventListener(type, applyFilters);
document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
document.getElementById('help-button').addEventListener('click', () => help.showModal());
filters.state.value = rows.some((row) => row.dataset.state !== 'passed') ? 'not passed' : '';
applyFilters();
showAccepted();
// By then the pictures have been read.
document.addEventListener('DOMContentLoaded', () => openRow ? open(openRow) : move(1));
