// The pictures of the open case: side by side, with a slider between two of them, or the two in turn.

/** The viewer of the open case; null where it has no pictures. */
let viewer = null;
/** Kept from case to case. */
let viewName = 'side';

class Viewer {
    static blinkMilliseconds = 600;

    constructor(place, pictures) {
        this.root = document.getElementById('viewer').content.cloneNode(true).querySelector('.viewer');
        this.panes = [...this.root.querySelectorAll('.pane')];
        for (const image of pictures.querySelectorAll('img')) this.pane(image.dataset.kind).append(image);
        this.splitter = this.root.querySelector('.split');
        this.stopper = this.root.querySelector('[data-blink]');
        this.isPaused = matchMedia('(prefers-reduced-motion: reduce)').matches;
        place.append(this.root);
        this.listen();
        this.frame = new Frame(this.panes);
        this.show(viewName);
        // Sizes are only known when the pictures have been read.
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
        this.tellScale();
    }

    zoom(isLarger, x, y) {
        this.frame.zoom(isLarger, x, y);
        this.tellScale();
    }

    showBox(x, y, width, height) {
        this.frame.showBlock(x, y, width, height);
        this.tellScale();
    }

    tellScale() {
        this.root.querySelector('.scale').value = `${Math.round(this.frame.scale * 1000) / 10} %`;
    }

    // Slider: the actual picture begins where the handle is.

    split() {
        const handle = 24;
        const share = this.splitter.value / this.splitter.max;
        const place = handle / 2 + share * (this.frame.size.width - handle);
        this.root.style.setProperty('--split-at', `${place}px`);
    }

    moveSplit(step) {
        this.splitter.value = Number(this.splitter.value) + step;
        this.split();
    }

    // Blink: one of the two is on top.

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

function openViewer(place, pictures) {
    viewer = new Viewer(place, pictures);
}

function closeViewer() {
    viewer?.close();
    viewer = null;
}
