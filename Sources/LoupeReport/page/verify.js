// The list of cases, the open case, the accept list and the keys.

/** Each state with its mark, which shows the state without colour; in the order of the filter. */
const marks = {passed: '✓', failed: '✗', missing: '?', gone: '−', broken: '!', written: '✎'};
const accepted = new Set();
const filters = document.getElementById('filters').elements;
const help = document.getElementById('help');
const listText = document.getElementById('list');
const listButton = document.getElementById('list-button');
const page = document.getElementById('case');

/** The cases, each with its title, its place in the list and its button. */
const rows = data.cases.map((one, index) => {
    const row = {...one, index, short: shortNumbers(one), title: `${one.suite}/${one.name}`};
    row.thumbnail = element('span', {class: 'thumbnail', 'aria-hidden': 'true'}, marks[row.state]);
    row.label = element('span', {class: 'accepted', hidden: ''}, 'accepted');
    row.button = element('button', {type: 'button', class: 'row', 'data-state': row.state}, row.thumbnail,
        element('span', {}, element('span', {class: 'title'}, row.title),
            element('span', {class: 'line'}, stateLabel('span', row), ' ',
                element('span', {class: 'short'}, row.short), ' ', row.label)));
    row.button.addEventListener('click', () => choose(row));
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
    document.title = `loupe-render ${data.command}`;
    document.querySelector('h1').textContent = document.title;
    document.getElementById(`accept-${data.command}`).hidden = false;
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
    for (const row of rows) {
        const number = row.pictures.actual ?? row.pictures.reference;
        if (number === undefined) continue;
        row.thumbnail.dataset.picture = number;
        thumbnails.watch(row.thumbnail);
    }
}

/** The filters as they were applied last. */
let appliedFilters = '';
const wantedFilters = () => JSON.stringify(['suite', 'state', 'name'].map((name) => filters[name].value));

const shownRows = () => rows.filter((row) => !row.button.parentElement.hidden);

function matches(row) {
    const wanted = filters.state.value;
    return (filters.suite.value === '' || filters.suite.value === row.suite)
        && (wanted === '' || (wanted === 'not passed' ? row.state !== 'passed' : row.state === wanted))
        && row.title.toLowerCase().includes(filters.name.value.toLowerCase());
}

/** Shows the rows that match, and opens the first of them. */
function applyFilters() {
    appliedFilters = wantedFilters();
    for (const row of rows) row.button.parentElement.hidden = !matches(row);
    const shown = shownRows();
    filters.shown.value = `${shown.length} of ${rows.length}`;
    if (shown.length > 0) open(shown[0]);
    else openNone();
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

/** On a phone the list lies above the case. */
function setListing(isListing) {
    document.body.classList.toggle('listing', isListing);
    listButton.setAttribute('aria-expanded', String(isListing));
    showPosition();
    if (isListing) openRow?.button.scrollIntoView({block: 'nearest'});
}

/** Opens a case that was chosen in the list. */
function choose(row) {
    setListing(false);
    open(row);
}

// MARK: The open case

/** Opens a case: its text, and its pictures where there are any. */
function open(row) {
    close();
    openRow = row;
    row.button.setAttribute('aria-current', 'true');
    row.button.scrollIntoView({block: 'nearest'});
    page.replaceChildren(...caseContent(row));
    page.scrollTop = 0;
    showWhetherAccepted();
    showPosition();
    // The pictures come last in the file, so they are there once all of it has been read.
    if (document.readyState !== 'loading') showPictures(row);
}

function close() {
    openRow?.button.removeAttribute('aria-current');
    openRow = null;
    closeViewer();
}

/** Where no case matches, none is open. */
function openNone() {
    close();
    const button = element('button', {type: 'button'}, 'Show all cases');
    button.addEventListener('click', () => {
        document.getElementById('filters').reset();
        filters.state.value = '';
        applyFilters();
    });
    page.replaceChildren(element('p', {class: 'hint'}, 'No case matches the filter. ', button));
    showPosition();
}

async function showPictures(row) {
    const place = page.querySelector('.pictures');
    const pictures = await picturesOf(row);
    // Another case may be open by now.
    if (openRow !== row || !place.isConnected || viewer) return;
    if (Object.keys(pictures).length > 0) openViewer(place, pictures, row.difference?.offset ?? [0, 0]);
    const {reference, actual} = pictures;
    if (reference && actual && row.difference?.areas) place.append(changes(row.difference.areas, reference, actual));
    const shown = shownRows();
    const index = shown.indexOf(row);
    for (const near of [shown[index + 1], shown[index - 1]]) if (near) prepare(near);
}

function caseContent(row) {
    const content = [
        element('h2', {}, row.title), element('p', {class: 'message'}, stateLabel('strong', row), ' ', row.message),
    ];
    content.push(actions(row));
    const pictures = element('div', {class: 'pictures'});
    if (row.lacksPictures) {
        pictures.append(element('p', {}, 'These results were written without pictures; ',
            element('code', {}, `${data.command} --json-pictures`), ' includes them.'));
    }
    if (row.state === 'missing') {
        pictures.append(element('p', {class: 'note'}, 'A new picture: there is no reference to compare it with.'));
    } else if (row.state === 'gone') {
        pictures.append(element('p', {class: 'note'}, 'This is the reference; there is no picture to compare with it.'));
    } else if (row.state === 'written' && !('actual' in row.pictures)) {
        pictures.append(element('p', {class: 'note'}, 'A new reference, written by this run.'));
    } else if (!('actual' in row.pictures) && 'reference' in row.pictures) {
        pictures.append(element('p', {class: 'note'}, 'Nothing was drawn; this is the reference.'));
    }
    return [...content, pictures, element('div', {class: 'tables'}, ...tables(row))];
}

/** The buttons of a case: the neighbouring cases, and accepting. */
function actions(row) {
    const button = (name, act, ...content) => {
        const made = element('button', {type: 'button', class: name}, ...content);
        made.addEventListener('click', act);
        return made;
    };
    const word = (text) => element('span', {class: 'word'}, text);
    const key = (name) => element('kbd', {}, name);
    const made = [
        button('step previous', () => move(-1), '‹ ', word('Previous '), key('k')),
        element('span', {class: 'position'}),
        button('step next', () => move(1), word('Next '), key('j'), ' ›'),
    ];
    if (row.hash !== '') {
        made.push(button('accept', () => toggleAccepted(row), 'Accept ', key('a')),
            button('accept-next', () => acceptAndMove(), 'Accept and next ', key('A')));
    }
    return element('p', {class: 'actions'}, ...made);
}

/** Which of the shown cases is open. */
function showPosition() {
    const shown = shownRows();
    const index = shown.indexOf(openRow);
    const text = index < 0 ? `${shown.length} cases` : `${index + 1} of ${shown.length}`;
    for (const part of page.querySelectorAll('.position')) part.textContent = text;
    for (const [name, isEnd] of [['.previous', index <= 0], ['.next', index === shown.length - 1]]) {
        const button = page.querySelector(name);
        if (button) button.disabled = isEnd;
    }
    listButton.textContent = document.body.classList.contains('listing') ? 'Back to the case' : `Cases: ${text} ▾`;
}

function tables(row) {
    const {regions = {}, boxes = []} = row.difference ?? {};
    const lines = boxes.map(({pixels, x, y, width, height}) => {
        const button = element('button', {type: 'button', class: 'box'}, [x, y, width, height].join(','));
        button.addEventListener('click', () => viewer?.showBox(x, y, width, height));
        return [button, pixels];
    });
    return [
        table('Numbers', [], facts(row)),
        table('Regions', ['region', 'differing pixels', 'largest difference'],
            Object.entries(regions).map(([name, part]) => [name, part.differingPixels, rounded(part.maxDelta)])),
        table(boxes.length < data.namedBoxes ? 'Boxes' : 'Boxes, the largest', ['x,y,width,height', 'differing pixels'], lines),
    ].filter((one) => one.querySelector('td'));
}

/** The lines of the table of numbers. */
function facts({difference, limits, driver, findings, milliseconds, scene}) {
    const lines = [];
    if (difference) {
        lines.push(...findings.map((finding, index) => [index > 0 ? '' : 'result', finding]), ['size', sizes(difference)]);
    }
    if (limits) lines.push(['allowed', JSON.stringify(limits)]);
    if (limits?.why) lines.push(['why so much', limits.why]);
    if (driver) lines.push(['drawn by', `${driver.renderer}, ${driver.version}`]);
    return [...lines, ['time', `${milliseconds} ms`], [data.label, scene]];
}

/** The numbers of a case in the list; nothing where nothing was compared. */
function shortNumbers({difference}) {
    if (!difference) return '';
    const {differingPixels: pixels, maxDelta} = difference;
    const size = sizes(difference);
    return (size.includes('→') ? `${size}, ` : '') + (pixels > 0 ? `${pixels} px, ` : '') + `largest ${rounded(maxDelta)}`;
}

/** Both sizes, or the one that both pictures have. */
function sizes(difference) {
    const texts = ['reference', 'actual'].map((part) => {
        const {width, height} = difference.sizes[part];
        return `${width}×${height}`;
    });
    return [...new Set(texts)].join(' → ');
}

/** A number with six digits after the point at most. */
function rounded(number) { return String(Math.round(number * 1e6) / 1e6); }

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

/** What has been accepted is kept by the browser for this file, until the picture changes. */
const storage = {
    name: `loupe-verify accepted ${location.pathname}`,

    read() {
        try {
            const kept = JSON.parse(localStorage.getItem(this.name) ?? '[]');
            return new Map(Array.isArray(kept) ? kept : []);
        } catch {
            return new Map();
        }
    },

    write(pairs) {
        try {
            if (pairs.length > 0) localStorage.setItem(this.name, JSON.stringify(pairs));
            else localStorage.removeItem(this.name);
        } catch {
            document.getElementById('forgetful').hidden = false;
        }
    },
};

function readAccepted() {
    const kept = storage.read();
    for (const row of rows) if (row.hash !== '' && kept.get(row.scene) === row.hash) accepted.add(row);
}

function toggleAccepted(row) {
    if (row.hash === '') return;
    if (!accepted.delete(row)) accepted.add(row);
    storage.write([...accepted].map(({scene, hash}) => [scene, hash]));
    showAccepted();
}

/** Accepts the open case where that is possible, and opens the next one. */
function acceptAndMove() {
    if (openRow && !accepted.has(openRow)) toggleAccepted(openRow);
    move(1);
}

/** The text of the file that `verify --accept` reads. */
function acceptList() {
    const cases = rows.filter((row) => accepted.has(row)).map((row) => ({scene: row.scene, picture: row.hash}));
    return JSON.stringify({format: data.format, cases}, null, 2) + '\n';
}

function showAccepted() {
    for (const row of rows) row.label.hidden = !accepted.has(row);
    showWhetherAccepted();
    document.getElementById('accepted-count').value = String(accepted.size);
    listText.value = acceptList();
    document.getElementById('copied').textContent = '';
}

function showWhetherAccepted() {
    page.querySelector('.accept')?.setAttribute('aria-pressed', String(accepted.has(openRow)));
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
    1: () => chooseView('side'),
    2: () => chooseView('slider'),
    3: () => chooseView('blink'),
    4: () => chooseView('difference'),
    '+': () => viewer?.zoom(true),
    '=': () => viewer?.zoom(true),
    '-': () => viewer?.zoom(false),
    0: () => viewer?.fit(),
    p: () => viewer?.setPaused(!viewer.isPaused),
    l: () => viewer?.setLens(!Lens.isOn),
    a: () => openRow && toggleAccepted(openRow),
    A: acceptAndMove,
    f: () => filters.name.focus(),
    '?': () => help.showModal(),
    ArrowLeft: () => moveSideways(-1),
    ArrowRight: () => moveSideways(1),
};

function moveSideways(step) {
    if (viewer?.view === 'slider') viewer.moveSplit(step * 20);
    if (viewer?.view === 'blink') {
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

document.getElementById('download').addEventListener('click', () => {
    download(new Blob([acceptList()], {type: 'application/json'}), 'accept.json');
});
document.getElementById('copy').addEventListener('click', copy);
document.getElementById('help-button').addEventListener('click', () => help.showModal());
// Browsers also send `change` where a field loses the focus; what was chosen since then stays open.
for (const type of ['input', 'change']) {
    document.getElementById('filters').addEventListener(type, () => wantedFilters() !== appliedFilters && applyFilters());
}
document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
listButton.addEventListener('click', () => setListing(!document.body.classList.contains('listing')));
showList();
filters.state.value = rows.some((row) => row.state !== 'passed') ? 'not passed' : '';
document.getElementById('acceptance').hidden = rows.every((row) => row.hash === '');
readAccepted();
showAccepted();
applyFilters();
document.addEventListener('DOMContentLoaded', () => {
    if (openRow) showPictures(openRow);
    thumbnails.work();
});
