// The page of a figure of crops: all pictures side by side, under one loupe. A click shows one of them, and the next ones in
// its place.

const main = document.querySelector('main');
/** The pictures in order, each with its pane and its caption. */
const methods = data.names.map((name, index) => {
    const title = element('button', {type: 'button'}, name);
    const [numbers, pixel] = [element('span', {class: 'numbers'}), element('output', {class: 'pixel'})];
    const pane = element('div', {class: 'pane', 'data-pane': String(index)});
    const figure = element('figure', {}, element('figcaption', {class: 'caption'}, title, numbers, pixel), pane);
    title.addEventListener('click', () => show(single === index ? null : index));
    return {figure, numbers, pixel, pane};
});
/** The number of the only picture that is shown; null where all are. */
let single = null;
let frame, lens;

/** Shows one picture, or all. */
function show(index) {
    single = index;
    main.classList.toggle('single', single !== null);
    methods.forEach(({figure}, other) => figure.classList.toggle('shown', other === single));
    document.getElementById('all').setAttribute('aria-pressed', String(single === null));
    arrange();
}

/** Shows the picture that is `step` further, in the same place. */
function turn(step) { show(((single ?? -step) + step + methods.length) % methods.length); }

/** As many columns as make the pictures largest, of the shape of the screen. */
function arrange() {
    const {width, height} = frame.extent;
    const count = single === null ? methods.length : 1;
    const size = (columns) => Math.min(main.clientWidth / columns / width, main.clientHeight / Math.ceil(count / columns) / height);
    let best = 1;
    for (let columns = 2; columns <= count; columns++) if (size(columns) > size(best)) best = columns;
    main.style.gridTemplateColumns = `repeat(${best}, minmax(0, 1fr))`;
    main.style.gridTemplateRows = `repeat(${Math.ceil(count / best)}, minmax(0, 1fr))`;
    frame.apply();
}

// MARK: Regions

const places = [null, ...data.regions].map((region, index) => {
    const button = element('button', {type: 'button', class: region ? 'region' : 'whole'}, region ? String(index) : 'Whole');
    if (region) button.style.borderColor = data.colors[(index - 1) % data.colors.length];
    button.setAttribute('aria-label', region ? `Region ${index}` : 'The whole pictures');
    button.addEventListener('click', () => go(index));
    return button;
});

/** Shows a region, or with 0 the whole pictures, and its numbers. */
function go(index) {
    if (index === 0) frame.showAll();
    else frame.showBlock(...data.regions[index - 1]);
    places.forEach((button, other) => button.setAttribute('aria-pressed', String(other === index)));
    methods.forEach(({numbers}, method) => numbers.replaceChildren(...data.measures.flatMap(({label, places}) => {
        const [text, isBest] = method === 0 ? ['', false] : places[index][method - 1];
        return [method === 0 ? label : element(isBest ? 'strong' : 'span', {}, text), ' '];
    })));
}

/** Writes how large the pictures are shown, and which part of them. */
function showPart() {
    document.querySelector('.scale').value = `${Math.round(frame.scale * 1000) / 10} %`;
    const {width, height} = frame.extent;
    const [left, top] = frame.pixel(0, 0).map((side) => Math.max(0, side));
    const [right, bottom] = frame.pixel(frame.size.width, frame.size.height);
    document.querySelector('.part').value =
        `--region ${left},${top},${Math.min(right, width) - left}x${Math.min(bottom, height) - top}`;
}

const zoom = (isLarger, x, y) => frame.zoom(isLarger, x, y);

// MARK: Pixels

function setLens(isOn) {
    Lens.isOn = isOn;
    document.getElementById('lens').setAttribute('aria-pressed', String(isOn));
    lens.hide();
}

/** Writes the numbers of the pixel under the loupe beside each name, and how far they are from the reference's. */
function tell(pixels) {
    const middle = 4 * (Lens.count * Lens.count - 1) / 2;
    const color = (index) => pixels[index] && Array.from(pixels[index].subarray(middle, middle + 3));
    const reference = color(0);
    methods.forEach(({pixel}, index) => {
        const own = color(index);
        const signed = (value) => (value > 0 ? '+' : value < 0 ? '−' : '±') + Math.abs(value);
        pixel.value = !own ? '' : own.join(' ')
            + (index > 0 ? `  (${own.map((value, channel) => signed(value - reference[channel])).join(' ')})` : '');
    });
}

// MARK: Start

/** A click that moves nothing shows the next picture. */
function listen({pane}, index) {
    let start = null;
    pane.addEventListener('pointerdown', ({clientX, clientY}) => { start = [clientX, clientY]; });
    pane.addEventListener('click', ({clientX, clientY}) => {
        if (start && Math.hypot(clientX - start[0], clientY - start[1]) > 4) return;
        if (single === null) show(index);
        else turn(1);
    });
    followPointer(pane, frame, zoom);
}

async function start() {
    for (const [index, {figure, pane}] of methods.entries()) {
        main.append(figure);
        pane.append(await shownPicture(index, data.names[index]));
    }
    frame = new Frame(methods.map(({pane}) => pane));
    frame.apply = () => {
        Frame.prototype.apply.call(frame);
        showPart();
    };
    lens = new Lens(methods.map(({pane}) => pane), frame, document.querySelector('.place'));
    lens.tell = tell;
    methods.forEach(listen);
    document.getElementById('places').append(...places.flatMap((button) => [button, ' ']));
    document.getElementById('all').addEventListener('click', () => show(null));
    document.getElementById('in').addEventListener('click', () => zoom(true));
    document.getElementById('out').addEventListener('click', () => zoom(false));
    document.getElementById('lens').addEventListener('click', () => setLens(!Lens.isOn));
    new ResizeObserver(arrange).observe(main);
    show(matchMedia('(max-width: 50rem)').matches ? 0 : null);
    go(0);
}

const keys = {
    a: () => show(null), Escape: () => show(null), l: () => setLens(!Lens.isOn),
    ArrowRight: () => turn(1), ArrowLeft: () => turn(-1), '+': () => zoom(true), '=': () => zoom(true), '-': () => zoom(false),
};

document.addEventListener('keydown', (event) => {
    if (!frame || event.ctrlKey || event.altKey || event.metaKey) return;
    const digit = /^\d$/.test(event.key) && Number(event.key) <= data.regions.length ? () => go(Number(event.key)) : null;
    const action = digit ?? keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
});
document.addEventListener('DOMContentLoaded', start);
