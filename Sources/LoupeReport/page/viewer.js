// The pictures of the open case: side by side, with a slider between two of them, or the two in turn.

/** The viewer of the open case; null if it has no pictures. */
let viewer = null;
/** The chosen view, kept from case to case. */
let viewName = 'side';

/** Which part of the pictures is shown, and how large. All panes share it, so they stay in step. */
class Frame {
    static scales = {least: 1 / 8, most: 64};

    constructor(panes) {
        this.panes = panes;
        this.images = panes.flatMap((pane) => [...pane.querySelectorAll('img')]);
        this.showAll();
    }

    /** The size of a visible pane; all have the same size. */
    get size() {
        const pane = this.panes.find((pane) => pane.clientWidth > 0) ?? this.panes[0];
        return {width: pane.clientWidth, height: pane.clientHeight};
    }

    /** The size of the largest picture, in its own pixels. */
    get extent() {
        return {
            width: Math.max(1, ...this.images.map((image) => image.naturalWidth)),
            height: Math.max(1, ...this.images.map((image) => image.naturalHeight)),
        };
    }

    /** Shows the whole picture; an enlarged picture gets a whole scale. */
    showAll() {
        const {width, height} = this.extent;
        const fitting = Math.min(this.size.width / width, this.size.height / height);
        this.scale = Frame.bounded(fitting >= 1 ? Math.floor(fitting) : fitting);
        this.center = {x: width / 2, y: height / 2};
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
        const {width, height} = this.extent;
        this.center.x = Math.min(Math.max(this.center.x, 0), width);
        this.center.y = Math.min(Math.max(this.center.y, 0), height);
        // Whole screen pixels, so that all pixels of a picture have the same size.
        const left = Math.round(this.size.width / 2 - this.center.x * this.scale);
        const top = Math.round(this.size.height / 2 - this.center.y * this.scale);
        for (const image of this.images) image.style.transform = `translate(${left}px, ${top}px) scale(${this.scale})`;
    }

    static bounded(scale) {
        return Math.min(Math.max(scale, Frame.scales.least), Frame.scales.most);
    }
}

class Viewer {
    static blinkMilliseconds = 600;

    constructor(container, pictures) {
        this.root = document.getElementById('viewer').content.cloneNode(true).querySelector('.viewer');
        this.panes = [...this.root.querySelectorAll('.pane')];
        for (const image of pictures) this.pane(image.dataset.kind).append(image);
        this.splitter = this.root.querySelector('.split');
        this.stopper = this.root.querySelector('[data-blink]');
        this.isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches;
        container.append(this.root);
        this.listen();
        this.frame = new Frame(this.panes);
        this.show(viewName);
        // The sizes are known once the pictures are decoded.
        Promise.all(this.frame.images.map((image) => image.decode().catch(() => {}))).then(() => this.fit());
    }

    pane(kind) {
        return this.root.querySelector(`[data-pane="${kind}"]`);
    }

    listen() {
        for (const button of this.root.querySelectorAll('[data-view]')) {
            button.addEventListener('click', () => this.show(button.dataset.view));
        }
        const zooms = {in: () => this.zoom(true), out: () => this.zoom(false), fit: () => this.fit()};
        for (const button of this.root.querySelectorAll('[data-zoom]')) {
            button.addEventListener('click', zooms[button.dataset.zoom]);
        }
        this.stopper.addEventListener('click', () => this.setPaused(!this.isPaused));
        this.splitter.addEventListener('input', () => this.split());
        for (const pane of this.panes) this.listenToPointer(pane);
        this.sizes = new ResizeObserver(() => {
            this.frame.apply();
            this.split();
        });
        this.sizes.observe(this.root);
    }

    listenToPointer(pane) {
        pane.addEventListener('pointerdown', (event) => pane.setPointerCapture(event.pointerId));
        pane.addEventListener('pointermove', (event) => {
            if (pane.hasPointerCapture(event.pointerId)) this.frame.pan(event.movementX, event.movementY);
        });
        pane.addEventListener('wheel', (event) => {
            event.preventDefault();
            const box = pane.getBoundingClientRect();
            const x = event.clientX - box.left - box.width / 2;
            this.zoom(event.deltaY < 0, x, event.clientY - box.top - box.height / 2);
        }, {passive: false});
    }

    /** @param {'side' | 'slider' | 'blink'} name */
    show(name) {
        viewName = name;
        this.root.dataset.view = name;
        for (const button of this.root.querySelectorAll('[data-view]')) {
            button.setAttribute('aria-pressed', String(button.dataset.view === name));
        }
        this.turnTo('reference');
        this.setPaused(this.isPaused);
        this.fit();
        this.split();
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
        const handle = 24;
        const position = this.splitter.value / this.splitter.max;
        const left = handle / 2 + position * (this.frame.size.width - handle);
        this.root.style.setProperty('--split-at', `${left}px`);
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
        if (viewName === 'blink' && !isPaused) this.timer = setInterval(() => this.turn(), Viewer.blinkMilliseconds);
    }

    close() {
        clearInterval(this.timer);
        this.sizes.disconnect();
    }
}

function openViewer(container, pictures) {
    viewer = new Viewer(container, pictures);
}

function closeViewer() {
    viewer?.close();
    viewer = null;
}
