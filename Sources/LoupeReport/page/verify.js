// The list of cases, the open case, the accept list and the keys.

/** Each state with its mark, which shows the state without colour; in the order of the filter. */
const marks = {passed: '✓', failed: '✗', missing: '?', broken: '!', written: '✎'};
const accepted = new Set();
const filters = document.getElementById('filters').elements;
const help = document.getElementById('help');
const listText = document.getElementById('list');

/** The cases, each with its title, its place in the list and its button. */
const rows = data.cases.map((one, index) => {
    const row = {...one, index, title: `${one.suite}/${one.name}`};
    row.button = element('button', {type: 'button', class: 'row', 'data-state': row.state},
        stateLabel('span', row), ' ', element('span', {class: 'title'}, row.title), ' ',
        element('span', {class: 'short'}, row.short), ' ',
        element('span', {class: 'accepted', hidden: ''}, 'accepted'));
    row.button.addEventListener('click', () => open(row));
    return row;
});
/** The row of the open case. */
let openRow = null;

function stateLabel(name, row) {
    return element(name, {class: `state ${row.state}`}, `${marks[row.state]} ${row.state}`);
}

// MARK: The list

function showList() {
    document.getElementById('summary').textContent = data.summary;
    document.getElementById('notes').hidden = data.notes.length === 0;
    document.querySelector('#notes ul').append(...data.notes.map((note) => element('li', {}, note)));
    for (const suite of new Set(rows.map((row) => row.suite))) {
        filters.suite.append(element('option', {value: suite}, suite));
    }
    for (const state of Object.keys(marks)) {
        const count = rows.filter((row) => row.state === state).length;
        if (count > 0) filters.state.append(element('option', {value: state}, `${state} (${count})`));
    }
    document.getElementById('cases').append(...rows.map((row) => element('li', {}, row.button)));
}

const shownRows = () => rows.filter((row) => !row.button.parentElement.hidden);

function matches(row) {
    const wanted = filters.state.value;
    return (filters.suite.value === '' || filters.suite.value === row.suite)
        && (wanted === '' || (wanted === 'not passed' ? row.state !== 'passed' : row.state === wanted))
        && row.title.toLowerCase().includes(filters.name.value.toLowerCase());
}

function applyFilters() {
    for (const row of rows) row.button.parentElement.hidden = !matches(row);
    filters.shown.value = `${shownRows().length} of ${rows.length}`;
}

/** Opens the case that is `step` rows further among the shown ones. */
function move(step) {
    const shown = shownRows();
    if (shown.length === 0) return;
    const index = shown.indexOf(openRow);
    const next = index < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(Math.max(index + step, 0), shown.length - 1);
    open(shown[next]);
    shown[next].button.focus({preventScroll: true});
}

// MARK: The open case

/** Opens a case: its text, and its pictures where there are any. */
function open(row) {
    openRow?.button.removeAttribute('aria-current');
    openRow = row;
    row.button.setAttribute('aria-current', 'true');
    row.button.scrollIntoView({block: 'nearest'});
    closeViewer();
    const page = document.getElementById('case');
    page.replaceChildren(...caseContent(row));
    page.scrollTop = 0;
    const pictures = picturesOf(row);
    if (pictures.length > 0) openViewer(page.querySelector('.pictures'), pictures);
    showAccepted();
}

/** The pictures of a case; none where it has none, or where the file is still being read. */
function picturesOf(row) {
    return ['reference', 'actual', 'difference'].flatMap((kind) => {
        const image = document.getElementById(`picture-${row.index}-${kind}`)?.content.firstChild.cloneNode();
        return image ? [filled(image, {alt: kind, 'data-kind': kind, draggable: 'false'}, [])] : [];
    });
}

function caseContent(row) {
    const content = [
        element('h2', {}, row.title), element('p', {class: 'message'}, stateLabel('strong', row), ' ', row.message),
    ];
    if (row.hash !== '') {
        const button = element('button', {type: 'button', class: 'accept'}, 'Accept this picture ', element('kbd', {}, 'a'));
        button.addEventListener('click', () => toggleAccepted(row));
        content.push(element('p', {}, button));
    }
    const pictures = element('div', {class: 'pictures'});
    if (row.lacksPictures) {
        pictures.append(element('p', {}, 'These results were written without pictures; ',
            element('code', {}, 'verify --json-pictures'), ' includes them.'));
    }
    return [...content, pictures, element('div', {class: 'tables'}, ...tables(row))];
}

function tables(row) {
    const boxes = row.boxes.map(([pixels, ...bounds]) => {
        const button = element('button', {type: 'button', class: 'box'}, bounds.join(','));
        button.addEventListener('click', () => viewer?.showBox(...bounds));
        return [button, pixels];
    });
    return [
        table('Numbers', [], row.facts),
        table('Regions', ['region', 'differing pixels', 'largest difference'], row.regions),
        table(row.hasMoreBoxes ? 'Boxes, the largest' : 'Boxes', ['x,y,width,height', 'differing pixels'], boxes),
    ].filter((one) => one.querySelector('td'));
}

function table(caption, headings, lines) {
    const made = element('table', {}, element('caption', {}, caption));
    if (headings.length > 0) {
        made.append(element('tr', {}, ...headings.map((heading) => element('th', {scope: 'col'}, heading))));
    }
    made.append(...lines.map(([first, ...others]) => element('tr', {},
        typeof first === 'string' ? element('th', {scope: 'row'}, first) : element('td', {}, first),
        ...others.map((value) => element('td', {}, value)))));
    return made;
}

// MARK: The accept list

function toggleAccepted(row) {
    if (row.hash === '') return;
    if (!accepted.delete(row)) accepted.add(row);
    showAccepted();
}

/** The text of the file that `verify --accept` reads. */
function acceptList() {
    const cases = rows.filter((row) => accepted.has(row)).map((row) => ({scene: row.scene, picture: row.hash}));
    return JSON.stringify({format: data.format, cases}, null, 2) + '\n';
}

function showAccepted() {
    for (const row of rows) row.button.querySelector('.accepted').hidden = !accepted.has(row);
    document.querySelector('.accept')?.setAttribute('aria-pressed', String(accepted.has(openRow)));
    document.getElementById('accepted-count').value = String(accepted.size);
    listText.value = acceptList();
    document.getElementById('copied').textContent = '';
}

function download() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([acceptList()], {type: 'application/json'}));
    link.download = 'accept.json';
    link.click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function copy() {
    listText.select();
    const status = document.getElementById('copied');
    try {
        await navigator.clipboard.writeText(listText.value);
        status.textContent = 'copied';
    } catch {
        status.textContent = 'selected; press Ctrl+C';
    }
}

// MARK: Keys

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

/** Whether the focused element itself uses a key. */
function isTaken(target, key) {
    return target.matches('select, textarea, input:not([type="range"])')
        || (target.matches('input') && key.startsWith('Arrow'));
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

// MARK: Start

document.getElementById('download').addEventListener('click', download);
document.getElementById('copy').addEventListener('click', copy);
document.getElementById('help-button').addEventListener('click', () => help.showModal());
for (const type of ['input', 'change']) document.getElementById('filters').addEventListener(type, applyFilters);
document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
showList();
filters.state.value = rows.some((row) => row.state !== 'passed') ? 'not passed' : '';
applyFilters();
showAccepted();
// The pictures come last in the file, so they have been read by then.
document.addEventListener('DOMContentLoaded', () => openRow ? open(openRow) : move(1));
