// The pictures of the open case: side by side, with a slider between two of them, the two in turn, or the difference.
// A case with a single picture has a view of its own.

/** The viewer of the open case; null if it has no pictures. */
let viewer = null;
/** Whether there is room for one pane only. */
const narrow = matchMedia('(max-width: 50rem)');
/** The chosen view, kept from case to case; null until one is chosen. */
let viewName = null;

/** Which part of the pictures is shown, and how large. All panes share it, so they stay in step. */
class Frame {
    static scales = {least: 1 / 8, most: 64};

    /** @param {number[]} offset where the actual picture's top left corner lies on the reference */
    constructor(panes, offset) {
        this.panes = panes;
        this.offset = offset;
        this.images = panes.flatMap((pane) => pane.querySelector('.picture') ?? []);
        this.showAll();
    }

    /** The size of a visible pane; all have the same size. */
    get size() {
        const pane = this.panes.find((pane) => pane.clientWidth > 0) ?? this.panes[0];
        return {width: pane.clientWidth, height: pane.clientHeight};
    }

    /** Where a picture's top left corner lies on the reference. */
    corner(image) {
        return image.closest('.actual') ? this.offset : [0, 0];
    }

    /** The block that all pictures take together, in pixels of the reference. */
    get extent() {
        const corners = this.images.map((image) => this.corner(image));
        const ends = this.images.map((image, index) =>
            [corners[index][0] + image.naturalWidth, corners[index][1] + image.naturalHeight]);
        const [left, top] = [0, 1].map((axis) => Math.min(0, ...corners.map((corner) => corner[axis])));
        const [right, bottom] = [0, 1].map((axis) => Math.max(1, ...ends.map((end) => end[axis])));
        return {left, top, right, bottom, width: right - left, height: bottom - top};
    }

    /** Shows the whole picture, at a whole scale where that leaves little of the pane free. */
    showAll() {
        const {left, top, width, height} = this.extent;
        const fitting = Math.min((this.size.width - 2) / width, (this.size.height - 2) / height);
        const whole = Math.floor(fitting);
        this.scale = Frame.bounded(whole >= fitting * 0.8 ? whole : fitting);
        this.center = {x: left + width / 2, y: top + height / 2};
        this.apply();
    }

    /** Shows a block of the picture with some room around it. */
    showBlock(x, y, width, height) {
        const fitting = Math.min(this.size.width / (width + 8), this.size.height / (height + 8));
        this.scale = Frame.bounded(2 ** Math.floor(Math.log2(fitting)));
        this.center = {x: x + width / 2, y: y + height / 2};
        this.apply();
    }

    /** Zooms to the next power of two. The point at `x`, `y` from the pane's centre stays where it is. */
    zoom(isLarger, x = 0, y = 0) {
        const steps = Math.log2(this.scale);
        const next = Frame.bounded(2 ** (isLarger ? Math.floor(steps + 1.001) : Math.ceil(steps - 1.001)));
        this.center.x += x / this.scale - x / next;
        this.center.y += y / this.scale - y / next;
        this.scale = next;
        this.apply();
    }

    /** Moves the picture by a distance in screen pixels. */
    pan(x, y) {
        this.center.x -= x / this.scale;
        this.center.y -= y / this.scale;
        this.apply();
    }

    apply() {
        const {left: least, top: highest, right, bottom} = this.extent;
        this.center.x = Math.min(Math.max(this.center.x, least), right);
        this.center.y = Math.min(Math.max(this.center.y, highest), bottom);
        const {left, top} = this.origin;
        for (const image of this.images) {
            const [x, y] = this.corner(image).map((length) => length * this.scale);
            image.style.transform = `translate(${left + x}px, ${top + y}px) scale(${this.scale})`;
            // At a whole scale pixels are squares of one size; at others every pixel counts.
            image.style.imageRendering = Number.isInteger(this.scale) ? 'pixelated' : 'auto';
            // A line of one screen pixel, since a white picture has no edge of its own.
            image.style.boxShadow = `0 0 0 ${1 / this.scale}px #8a9099`;
        }
    }

    /** Where the pictures begin in their panes, in whole screen pixels, so that all pixels of a picture have one size. */
    get origin() {
        return {
            left: Math.round(this.size.width / 2 - this.center.x * this.scale),
            top: Math.round(this.size.height / 2 - this.center.y * this.scale),
        };
    }

    /** The column and row of the pixel at a point of a pane. */
    pixel(x, y) {
        const {left, top} = this.origin;
        return [Math.floor((x - left) / this.scale), Math.floor((y - top) / this.scale)];
    }

    static bounded(scale) {
        return Math.min(Math.max(scale, Frame.scales.least), Frame.scales.most);
    }
}

/**
 * Moves the pictures of a frame with a finger or the mouse over a pane, and zooms with two fingers or the wheel.
 * @param {(isLarger: boolean, x?: number, y?: number) => void} zoom
 */
function followPointer(pane, frame, zoom) {
    const touches = new Map();
    let spread = 0;
    const distance = () => {
        const [one, other] = [...touches.values()];
        return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    };
    pane.addEventListener('pointerdown', (event) => {
        pane.setPointerCapture(event.pointerId);
        touches.set(event.pointerId, event);
        if (touches.size === 2) spread = distance();
    });
    for (const type of ['pointerup', 'pointercancel']) {
        pane.addEventListener(type, (event) => touches.delete(event.pointerId));
    }
    pane.addEventListener('pointermove', (event) => {
        const before = touches.get(event.pointerId);
        if (!before) return;
        touches.set(event.pointerId, event);
        if (touches.size === 1) frame.pan(event.clientX - before.clientX, event.clientY - before.clientY);
        if (touches.size !== 2) return;
        // Two fingers zoom by powers of two, as everything does.
        const now = distance();
        if (now > spread * 1.5 || now < spread / 1.5) {
            zoom(now > spread);
            spread = now;
        }
    });
    pane.addEventListener('wheel', (event) => {
        event.preventDefault();
        const box = pane.getBoundingClientRect();
        const x = event.clientX - box.left - box.width / 2;
        zoom(event.deltaY < 0, x, event.clientY - box.top - box.height / 2);
    }, {passive: false});
}

class Viewer {
    static blinkMilliseconds = 600;

    /**
     * @param {{reference?: HTMLImageElement, actual?: HTMLImageElement, difference?: HTMLImageElement}} pictures decoded
     * @param {number[]} offset where the actual picture's top left corner lies on the reference
     */
    constructor(container, pictures, offset) {
        this.root = document.getElementById('viewer').content.cloneNode(true).querySelector('.viewer');
        this.panes = [...this.root.querySelectorAll('.pane')];
        const kinds = Object.keys(pictures);
        this.isSingle = kinds.length === 1;
        for (const pane of this.panes) {
            const picture = pictures[pane.dataset.pane];
            if (picture) pane.append(picture);
            pane.classList.toggle('empty', !picture);
        }
        if (this.isSingle) {
            for (const part of this.root.querySelectorAll('.pane, .caption')) {
                part.classList.toggle('absent', !part.classList.contains(kinds[0]));
            }
        }
        this.splitter = this.root.querySelector('.split');
        this.stopper = this.root.querySelector('[data-blink]');
        this.isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches;
        this.root.querySelector('.caption.difference').textContent =
            pictures.difference?.alt === 'errors' ? 'Errors' : 'Difference';
        this.root.dataset.view = 'side';
        container.append(this.root);
        this.frame = new Frame(this.panes, offset);
        const {width, height} = this.frame.extent;
        this.isWide = width > height && width > this.frame.size.width;
        this.lens = new Lens(this.panes, this.frame, this.root.querySelector('.place'));
        this.listen();
        this.show();
    }

    pane(kind) {
        return this.root.querySelector(`[data-pane="${kind}"]`);
    }

    listen() {
        for (const button of this.root.querySelectorAll('[data-view]')) {
            button.addEventListener('click', () => chooseView(button.dataset.view));
        }
        const zooms = {in: () => this.zoom(true), out: () => this.zoom(false), fit: () => this.fit()};
        for (const button of this.root.querySelectorAll('[data-zoom]')) {
            button.addEventListener('click', zooms[button.dataset.zoom]);
        }
        this.root.querySelector('[data-lens]').addEventListener('click', () => this.setLens(!Lens.isOn));
        this.setLens(Lens.isOn);
        this.stopper.addEventListener('click', () => this.setPaused(!this.isPaused));
        this.splitter.addEventListener('input', () => this.split());
        for (const pane of this.panes) followPointer(pane, this.frame, (isLarger, x, y) => this.zoom(isLarger, x, y));
        this.sizes = new ResizeObserver(() => {
            this.frame.apply();
            this.split();
        });
        this.sizes.observe(this.root);
        this.turned = () => this.show();
        narrow.addEventListener('change', this.turned);
    }

    /** The view that is shown: the chosen one as far as there are pictures and room for it. */
    get view() {
        if (this.isSingle) return 'single';
        if (viewName === null) return narrow.matches || this.isWide ? 'slider' : 'side';
        return narrow.matches && viewName === 'side' ? 'slider' : viewName;
    }

    /** Shows the chosen view. */
    show() {
        const name = this.view;
        this.root.dataset.view = name;
        const {width, height} = this.frame.extent;
        for (const pane of this.panes) pane.style.aspectRatio = name === 'side' ? `${width} / ${height}` : '';
        for (const button of this.root.querySelectorAll('button[data-view]')) {
            button.setAttribute('aria-pressed', String(button.dataset.view === name));
        }
        this.turnTo('reference');
        this.setPaused(this.isPaused);
        this.fit();
        this.split();
    }

    setLens(isOn) {
        Lens.isOn = isOn;
        this.root.querySelector('[data-lens]').setAttribute('aria-pressed', String(isOn));
        this.lens.hide();
    }

    fit() {
        this.frame.showAll();
        this.showScale();
    }

    zoom(isLarger, x, y) {
        this.frame.zoom(isLarger, x, y);
        this.showScale();
    }

    showBox(x, y, width, height) {
        this.frame.showBlock(x, y, width, height);
        this.showScale();
    }

    showScale() {
        this.root.querySelector('.scale').value = `${Math.round(this.frame.scale * 1000) / 10} %`;
    }

    // Slider: the actual picture is shown to the right of the handle.

    split() {
        const handle = 32;
        const position = this.splitter.value / this.splitter.max;
        const left = handle / 2 + position * (this.frame.size.width - handle);
        this.pane('actual').style.clipPath = this.view === 'slider' ? `inset(0 0 0 ${left}px)` : 'none';
    }

    moveSplit(step) {
        this.splitter.value = Number(this.splitter.value) + step;
        this.split();
    }

    // Blink: one of the two pictures is shown at a time.

    turnTo(kind) {
        this.shown = kind;
        for (const part of this.root.querySelectorAll('.pane, .caption')) {
            part.classList.toggle('shown', part.classList.contains(kind));
        }
        this.root.querySelector('.now').value = kind;
    }

    turn() {
        this.turnTo(this.shown === 'reference' ? 'actual' : 'reference');
    }

    setPaused(isPaused) {
        this.isPaused = isPaused;
        this.stopper.setAttribute('aria-pressed', String(isPaused));
        clearInterval(this.timer);
        if (this.view === 'blink' && !isPaused) this.timer = setInterval(() => this.turn(), Viewer.blinkMilliseconds);
    }

    close() {
        clearInterval(this.timer);
        this.sizes.disconnect();
        narrow.removeEventListener('change', this.turned);
    }
}

function openViewer(container, pictures, offset) {
    viewer = new Viewer(container, pictures, offset);
}

/** @param {'side' | 'slider' | 'blink' | 'difference'} name */
function chooseView(name) {
    viewName = name;
    viewer?.show();
}

function closeViewer() {
    viewer?.close();
    viewer = null;
}
