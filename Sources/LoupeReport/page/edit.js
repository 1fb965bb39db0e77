// The editor's page: the picture with handles, and a panel. The command at the page's address composes and draws every change;
// this script says what the hand does, and shows the answer.

/** How far a mouse and a finger may miss a handle, in pixels of the screen. */
const reaches = {mouse: 9, touch: 22};
/** How far a hand moves, in pixels of the screen, before a press is a drag. */
const stillness = 4;
const cursors = {loupe: 'move', source: 'move', size: 'nwse-resize', zoom: 'nwse-resize'};

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{name: string, outline: Box, source: Box, corner: number, zoom: number, rectangle: boolean, region: boolean,
 *     below: boolean, placed: boolean, options: Record<string, string>}} Loupe
 * @typedef {{loupe: number, part: keyof typeof cursors}} Hold
 */

/**
 * The state of the editor, as the command tells it (`FigureEditor.state`).
 * @type {any}
 */
// With `var`, drivers of browsers see it, as the two of its kind below.
var state = {loupes: [], canvas: [1, 1], options: {}};
/** The selected loupe; -1 for none. */
let selected = -1;

/**
 * The element of an id.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @returns {Kind}
 */
function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`The page has no ${id}.`);
    return /** @type {Kind} */ (found);
}

const canvas = /** @type {HTMLCanvasElement} */ (byId('canvas'));
const frame = byId('frame');

// Asking

/** Whether an answer is awaited, and the drag that waits for it. */
var isAsking = false;
/** @type {Record<string, unknown>[]} */
var waiting = [];

/**
 * Asks the command for something. Of the steps of a drag that wait, only the last is asked for.
 * @param {Record<string, unknown>} action
 */
function ask(action) {
    const last = waiting.at(-1);
    if (action.do === 'drag' && last?.do === 'drag' && last.gesture === action.gesture && !action.first) {
        action.first = last.first;
        waiting.pop();
    }
    waiting.push(action);
    if (!isAsking) void askNext();
}

/** Sends the action that has waited longest. */
function send() {
    return fetch('do', {
        method: 'POST', body: JSON.stringify(waiting.shift()), headers: {'Content-Type': 'application/json'},
    });
}

async function askNext() {
    isAsking = true;
    /** @type {Promise<Response> | undefined} */
    let asked;
    while (asked || waiting.length > 0) {
        try {
            const answer = await (asked ?? send());
            // The next one is drawn while this one comes and is shown.
            asked = waiting.length > 0 ? send() : undefined;
            if (answer.ok) take(await answer.arrayBuffer());
            else tell((await answer.text()).trim(), true);
        } catch {
            [asked, waiting] = [undefined, []];
            tell('The command no longer answers. The command below draws this figure: copy it, or edit again.', true);
        }
    }
    isAsking = false;
}

/**
 * Shows an answer: the state in JSON, after its length in four bytes, and the pixels that have changed.
 * @param {ArrayBuffer} answer
 */
function take(answer) {
    const length = new DataView(answer).getUint32(0, true);
    state = JSON.parse(new TextDecoder().decode(new Uint8Array(answer, 4, length)));
    const [width, height] = state.canvas;
    if (canvas.width !== width || canvas.height !== height) {
        [canvas.width, canvas.height] = [width, height];
        resize();
    }
    let at = 4 + length;
    for (const [x, y, blockWidth, blockHeight] of state.changed) {
        const size = 4 * blockWidth * blockHeight;
        const block = new ImageData(new Uint8ClampedArray(answer, at, size), blockWidth, blockHeight);
        canvas.getContext('2d')?.putImageData(block, x, y);
        at += size;
    }
    if (state.added !== undefined) selected = state.added;
    if (selected >= state.loupes.length) selected = state.loupes.length - 1;
    show();
    if (state.message) tell(state.message);
    else if (state.warnings.length > 0 && !hand) tell(state.warnings[0], true);
    document.dispatchEvent(new CustomEvent('loupechange', {detail: state}));
}

/**
 * Tells everybody.
 * @param {string} text
 * @param {boolean} [isWrong]
 */
function tell(text, isWrong = false) {
    const told = byId('told');
    told.textContent = text;
    told.classList.toggle('wrong', isWrong);
    told.classList.add('seen');
    clearTimeout(telling);
    telling = window.setTimeout(() => told.classList.remove('seen'), isWrong ? 9000 : 4000);
}
let telling = 0;

/**
 * Sets an option of the selected loupe, or of the figure.
 * @param {string} option
 * @param {string | null} value null lets it go
 * @param {boolean} [isOfFigure]
 */
function set(option, value, isOfFigure = false) {
    ask({do: 'set', option, value, ...(isOfFigure ? {} : {loupe: selected})});
}

// The hand

/** How many pixels of the picture a pixel of the screen is wide. */
function unit() { return canvas.width / Math.max(1, canvas.getBoundingClientRect().width); }

/**
 * Where an event is, in pixels of the picture.
 * @param {MouseEvent} event
 * @returns {[number, number]}
 */
function place(event) {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * unit(), (event.clientY - box.top) * unit()];
}

/** @param {Box} box */
const middle = (box) => /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);

/**
 * Where a handle lies, in pixels of the picture.
 * @param {Hold} hold
 * @returns {[number, number]}
 */
function position({loupe: index, part}) {
    const loupe = /** @type {Loupe} */ (state.loupes[index]);
    const box = part === 'loupe' || part === 'size' ? loupe.outline : loupe.source;
    const [x, y] = middle(box);
    if (part === 'loupe' || part === 'source') return [x, y];
    const toCorner = loupe.rectangle ? 1 : Math.SQRT1_2;
    const [dx, dy] = [box.width / 2 * toCorner, box.height / 2 * toCorner];
    // Never so near to the middle that the source can't be taken hold of.
    const least = part === 'zoom' ? 2.2 * reaches.mouse * unit() : 0;
    const factor = Math.max(1, least / Math.max(Math.hypot(dx, dy), 1e-9));
    return [x + factor * dx, y + factor * dy];
}

/**
 * The handles of a loupe that is selected.
 * @param {number} index
 * @returns {Hold[]}
 */
function handles(index) {
    const loupe = state.loupes[index];
    const parts = /** @type {Hold['part'][]} */ (loupe?.below ? ['loupe', 'size', 'zoom'] : ['loupe', 'source', 'size', 'zoom']);
    return loupe ? parts.map((part) => ({loupe: index, part})) : [];
}

/**
 * What lies under a hand: small handles first, then loupes from the top, then what they show.
 * @param {[number, number]} point
 * @param {number} reach in pixels of the screen
 * @returns {Hold | null}
 */
function holdAt([x, y], reach) {
    const far = reach * unit();
    const distance = (/** @type {Hold} */ hold) => Math.hypot(position(hold)[0] - x, position(hold)[1] - y);
    const small = handles(selected).filter(({part}) => part === 'size' || part === 'zoom')
        .sort((one, other) => distance(one) - distance(other))[0];
    if (small && distance(small) <= far) return small;
    const order = state.loupes.map((/** @type {Loupe} */ _, /** @type {number} */ index) => index).reverse();
    order.sort((/** @type {number} */ one, /** @type {number} */ other) => Number(other === selected) - Number(one === selected));
    for (const part of /** @type {Hold['part'][]} */ (['loupe', 'source'])) {
        for (const index of order) {
            const loupe = state.loupes[index];
            const box = part === 'loupe' ? loupe.outline : loupe.source;
            const more = part === 'loupe' ? 0 : far / 2;
            const [dx, dy] = [Math.abs(x - middle(box)[0]), Math.abs(y - middle(box)[1])];
            const isOver = loupe.rectangle
                ? dx <= box.width / 2 + more && dy <= box.height / 2 + more : Math.hypot(dx, dy) <= box.width / 2 + more;
            if (isOver && !(part === 'source' && loupe.below)) return {loupe: index, part};
        }
    }
    return null;
}

/**
 * What the hand does: it holds something, or draws a rectangle on the page.
 * @type {{pointer: number, hold: Hold | null, from: [number, number], to: [number, number], gesture: string, isMoved: boolean,
 *     isFirst: boolean} | null}
 */
let hand = null;
let gestures = 0;

frame.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' && event.button !== 0 || hand) return;
    event.preventDefault();
    const from = place(event);
    const hold = holdAt(from, event.pointerType === 'touch' ? reaches.touch : reaches.mouse);
    gestures += 1;
    hand = {pointer: event.pointerId, hold, from, to: from, gesture: `hand ${gestures}`, isMoved: false, isFirst: true};
    frame.setPointerCapture(event.pointerId);
    if (!hold) return;
    select(hold.loupe);
    focusHandle(hold.part);
});

frame.addEventListener('pointermove', (event) => {
    if (!hand) {
        const hold = holdAt(place(event), reaches.mouse);
        frame.style.cursor = hold ? cursors[hold.part] : 'crosshair';
        return;
    }
    if (event.pointerId !== hand.pointer) return;
    hand.to = place(event);
    const far = Math.hypot(hand.to[0] - hand.from[0], hand.to[1] - hand.from[1]);
    hand.isMoved ||= far > stillness * unit();
    if (!hand.isMoved) return;
    if (hand.hold) drag(hand, !event.altKey);
    else showOverlay();
});

/**
 * A step of a drag.
 * @param {NonNullable<typeof hand>} step
 * @param {boolean} snaps
 */
function drag({hold, from, to, gesture, isFirst}, snaps) {
    if (!hold) return;
    ask({do: 'drag', ...hold, from, to, first: isFirst, gesture, snaps, reach: 6 * unit()});
    if (hand) hand.isFirst = false;
}

/** @param {PointerEvent} event */
function end(event) {
    if (!hand || event.pointerId !== hand.pointer) return;
    const {hold, from, to, isMoved, isFirst} = hand;
    hand = null;
    if (event.type === 'pointercancel') {
        if (!isFirst) ask({do: 'undo'});
    } else if (!hold && isMoved) {
        ask({do: 'add', region: box(from, to)});
    } else if (!hold && isOnPage(from)) {
        ask({do: 'add', at: from});
    } else if (!hold) {
        select(-1);
    }
    showOverlay();
}
frame.addEventListener('pointerup', end);
frame.addEventListener('pointercancel', end);
frame.addEventListener('dragstart', (event) => event.preventDefault());
byId('stage').addEventListener('pointerdown', (event) => { if (event.target === byId('stage')) select(-1); });

/**
 * The rectangle between two corners: x, y, width and height.
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
function box(from, to) {
    const [x, y] = [Math.min(from[0], to[0]), Math.min(from[1], to[1])];
    return [x, y, Math.max(from[0], to[0]) - x, Math.max(from[1], to[1]) - y];
}

/** @param {[number, number]} point */
function isOnPage([x, y]) {
    const {page} = state;
    return x >= page.x && y >= page.y && x < page.x + page.width && y < page.y + page.height;
}

/** @param {number} index */
function select(index) {
    selected = index;
    show();
}

/**
 * The keyboard goes on where the hand was.
 * @param {string} part
 */
function focusHandle(part) {
    /** @type {HTMLElement | null} */ (document.querySelector(`#handles [data-part="${part}"]`))?.focus({preventScroll: true});
}

// The keyboard

function addInMiddle() { ask({do: 'add', at: middle(state.page)}); }

byId('stage').addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || selected < 0 && event.key !== 'Escape') return;
    const steps = /** @type {Record<string, [number, number]>} */ ({
        ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    });
    const step = steps[event.key];
    if (step) {
        const part = /** @type {Hold['part']} */ (/** @type {HTMLElement} */ (event.target).dataset.part ?? 'loupe');
        const hold = {loupe: selected, part};
        const from = position(hold);
        const far = event.shiftKey ? 1 : 10;
        const to = [from[0] + far * step[0], from[1] + far * step[1]];
        ask({do: 'drag', ...hold, from, to, first: true, gesture: `keys ${part} ${selected}`, snaps: false, reach: 0});
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
        ask({do: 'delete', loupe: selected});
    } else if (event.key === 'Escape') {
        if (hand && !hand.isFirst) ask({do: 'undo'});
        hand = null;
        select(-1);
    } else if ('+=-'.includes(event.key)) {
        const zoom = state.loupes[selected].zoom + (event.key === '-' ? -0.25 : 0.25);
        set('zoom', shortly(Math.min(64, Math.max(1, zoom))));
    } else {
        return;
    }
    event.preventDefault();
});

document.addEventListener('keydown', (event) => {
    const {target} = event;
    const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
        || target instanceof HTMLInputElement && !['radio', 'checkbox', 'color'].includes(target.type);
    const key = event.key.toLowerCase();
    if (event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && !isText && (key === 'z' || key === 'y')) {
        ask({do: key === 'y' || event.shiftKey ? 'redo' : 'undo'});
    } else if ((event.ctrlKey || event.metaKey) && key === 's') {
        ask({do: 'save'});
    } else if (!event.ctrlKey && !event.metaKey && !isText && key === 'n') {
        addInMiddle();
    } else {
        return;
    }
    event.preventDefault();
});

// What is shown

/** Gives the picture the size that is asked for. At 100 % each of its pixels is one of the screen. */
function resize() {
    const view = Number(/** @type {HTMLSelectElement} */ (byId('view')).value);
    frame.classList.toggle('sized', view > 0);
    canvas.style.width = view > 0 ? `${canvas.width * view / devicePixelRatio}px` : '';
    canvas.style.imageRendering = view > 1 ? 'pixelated' : '';
}

function show() {
    showOverlay();
    showPanel();
}

/**
 * An element of SVG.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function drawing(name, attributes) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
    return node;
}

function showOverlay() {
    const [width, height] = state.canvas;
    const scale = unit();
    const loupe = /** @type {Loupe | undefined} */ (state.loupes[selected]);
    /** @type {Element[]} */
    const lines = (hand ? state.guides : []).map((/** @type {{x?: number, y?: number}} */ guide) => drawing('line', {
        class: 'guide', 'stroke-width': scale, x1: guide.x ?? 0, x2: guide.x ?? width, y1: guide.y ?? 0, y2: guide.y ?? height,
    }));
    for (const kind of loupe ? ['outline', 'source'] : []) {
        const {outline, source, corner, zoom} = /** @type {Loupe} */ (loupe);
        const [box, radius] = kind === 'source' ? [source, corner / zoom] : [outline, corner];
        for (const layer of ['under', 'over']) {
            lines.push(drawing('rect', {
                class: `${kind} ${layer}`, ...box, rx: radius, 'stroke-width': (layer === 'under' ? 3.5 : 1.5) * scale,
                'stroke-dasharray': layer === 'over' && kind === 'source' ? `${4 * scale} ${3 * scale}` : 'none',
            }));
        }
    }
    if (hand && !hand.hold && hand.isMoved) {
        const [x, y, width, height] = box(hand.from, hand.to);
        lines.push(drawing('rect', {class: 'band', x, y, width, height, 'stroke-width': scale}));
    }
    const overlay = byId('overlay');
    overlay.setAttribute('viewBox', `0 0 ${width} ${height}`);
    overlay.replaceChildren(...lines);
    showHandles();
    canvas.setAttribute('aria-label', `Picture with ${state.loupes.length} loupes`);
}

function showHandles() {
    const box = byId('handles');
    const all = handles(selected);
    if ([...box.children].map((node) => /** @type {HTMLElement} */ (node).dataset.part).join() !== all.map(({part}) => part).join()) {
        box.replaceChildren(...all.map(({part}) => element('button', {type: 'button', class: 'handle', 'data-part': part})));
    }
    all.forEach((hold, index) => {
        const node = /** @type {HTMLElement} */ (box.children[index]);
        const [x, y] = position(hold);
        const {name, zoom} = state.loupes[selected];
        const at = `at ${Math.round(x)}, ${Math.round(y)}`;
        node.setAttribute('aria-label', {
            loupe: `${name}, ${at}`, source: `What ${name} shows, ${at}`, size: `Size of ${name}`,
            zoom: `How much ${name} shows, ${shortly(zoom)}×`,
        }[hold.part]);
        node.style.left = `${x / state.canvas[0] * 100}%`;
        node.style.top = `${y / state.canvas[1] * 100}%`;
    });
}

/**
 * A number with at most two decimals.
 * @param {number} number
 */
function shortly(number) { return String(Number(number.toFixed(2))); }

/**
 * Sets what a field shows, unless somebody writes in it.
 * @param {string} id
 * @param {string} text
 */
function fill(id, text) {
    const field = byId(id);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement)) return;
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = text !== '';
    else if (field.value !== text && (document.activeElement !== field || field instanceof HTMLSelectElement)) field.value = text;
}

function showPanel() {
    const loupe = /** @type {Loupe | undefined} */ (state.loupes[selected]);
    const list = byId('loupes');
    while (list.children.length > state.loupes.length) list.lastElementChild?.remove();
    while (list.children.length < state.loupes.length) {
        const index = list.children.length;
        const chip = element('button', {type: 'button'});
        chip.addEventListener('click', () => select(index));
        list.append(chip);
    }
    state.loupes.forEach((/** @type {Loupe} */ other, /** @type {number} */ index) => {
        list.children[index].textContent = other.name;
        list.children[index].setAttribute('aria-pressed', String(index === selected));
    });
    for (const name of ['undo', 'redo']) {
        /** @type {HTMLButtonElement} */ (document.querySelector(`[data-do="${name}"]`)).disabled = !state[name];
    }
    fill('command', state.command);
    byId('save').title = `Save ${state.output} (Ctrl+S)`;
    for (const {name} of data.fields.figure) fill(`figure-${name}`, state.options[name] === '' ? 'on' : state.options[name] ?? '');
    byId('selected').hidden = !loupe;
    if (!loupe) return;
    for (const radio of document.querySelectorAll('[name="shape"]')) {
        const choice = /** @type {HTMLInputElement} */ (radio);
        choice.checked = (choice.value === 'rectangle') === loupe.rectangle;
    }
    const place = /** @type {HTMLSelectElement} */ (byId('place'));
    place.options[0].hidden = !loupe.placed;
    place.disabled = loupe.below;
    fill('zoom', shortly(loupe.zoom));
    fill('place', loupe.placed ? 'hand' : state.options.place ?? '');
    fill('connector', loupe.options.connector ?? '');
    fill('letters', state.options.letters ?? '');
    fill('accent', state.options.accent === 'auto' ? '' : state.options.accent ?? '');
    fill('swatch', (state.accent ?? '#888888').slice(0, 7));
    for (const {name} of data.fields.loupe) fill(`loupe-${name}`, loupe.options[name] ?? '');
}

// The panel

/**
 * A field for each option of a list.
 * @param {'loupe' | 'figure'} scope
 * @param {string[]} without names that have fields elsewhere
 */
function addFields(scope, without) {
    data.fields[scope] = data.fields[scope].filter((/** @type {any} */ field) => !without.includes(field.name));
    for (const {name, help, form, choices, flag} of data.fields[scope]) {
        const id = `${scope}-${name}`;
        const field = choices.length > 0 ? element('select', {id}) : element('input', flag ? {id, type: 'checkbox'}
            : {id, type: 'text', placeholder: form, spellcheck: 'false'});
        if (choices.length > 0) field.append(...['', ...choices].map((choice) => element('option', {value: choice}, choice || 'automatic')));
        field.addEventListener('change', () => {
            const {value, checked} = /** @type {HTMLInputElement} */ (field);
            set(name, flag ? checked ? '' : null : value || null, scope === 'figure');
        });
        const label = name.replaceAll('-', ' ');
        byId(`more-${scope}`).append(flag
            ? element('label', {class: 'flag', title: help}, field, label) : element('label', {title: help}, label, field));
    }
}

/**
 * What is done when a field has been changed.
 * @param {string} id
 * @param {(value: string) => void} action
 */
function onChange(id, action) {
    byId(id).addEventListener('change', (event) => action(/** @type {HTMLInputElement} */ (event.target).value));
}

addFields('loupe', ['zoom', 'connector']);
addFields('figure', ['letters', 'accent', 'place']);
onChange('zoom', (value) => set('zoom', value || null));
onChange('connector', (value) => set('connector', value || null));
onChange('letters', (value) => set('letters', value || null, true));
onChange('accent', (value) => set('accent', value || null, true));
byId('swatch').addEventListener('input', (event) => set('accent', /** @type {HTMLInputElement} */ (event.target).value, true));
onChange('place', (value) => {
    if (value === 'hand') return;
    if (state.loupes[selected].placed) set('at', null);
    set('place', value || null, true);
});
for (const radio of document.querySelectorAll('[name="shape"]')) {
    radio.addEventListener('change', () => {
        const {region, outline} = state.loupes[selected];
        const isRectangle = /** @type {HTMLInputElement} */ (radio).value === 'rectangle';
        const side = Math.round(outline.height / state.scale);
        if (region) set('shape', isRectangle ? null : 'circle');
        else set('shape', isRectangle ? `${Math.round(1.5 * side)}x${side}` : null);
    });
}
for (const button of document.querySelectorAll('[data-do]')) {
    button.addEventListener('click', () => ask({do: /** @type {HTMLElement} */ (button).dataset.do}));
}
byId('add').addEventListener('click', addInMiddle);
byId('delete').addEventListener('click', () => ask({do: 'delete', loupe: selected}));
byId('save').addEventListener('click', () => ask({do: 'save'}));
byId('view').addEventListener('change', () => { resize(); showOverlay(); });
byId('command').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    ask({do: 'command', text: /** @type {HTMLTextAreaElement} */ (byId('command')).value});
});
byId('copy').addEventListener('click', () => {
    navigator.clipboard.writeText(state.command)
        .then(() => tell('The command is copied.'), () => tell('This browser does not let the page copy.', true));
});
new ResizeObserver(showOverlay).observe(canvas);
addEventListener('pagehide', () => {
    navigator.sendBeacon('do', new Blob([JSON.stringify({do: 'close'})], {type: 'application/json'}));
});
addEventListener('pageshow', (event) => { if (event.persisted) ask({do: 'open'}); });
byId('title').textContent = document.title;
ask({do: 'open'});
