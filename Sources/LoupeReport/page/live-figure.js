// The element <loupe-figure>: pointers, keys, size and sound of a figure. What they do to the loupe, the module decides.

/** How far the loupe lies from a finger, in pixels of the screen. */
const awayFromFinger = 28;

/** @type {ImageBitmapOptions} */
const asStored = {premultiplyAlpha: 'none', colorSpaceConversion: 'none'};

class LoupeFigure extends HTMLElement {
    /**
     * Keeps `ready`.
     * @type {(value?: void) => void}
     */
    keep = () => {};
    /**
     * Rejects `ready`.
     * @type {(error: Error) => void}
     */
    reject = () => {};
    /**
     * Kept after the first frame; rejected with the reason where none can be drawn.
     * @type {Promise<void>}
     */
    ready = new Promise((keep, reject) => { [this.keep, this.reject] = [keep, reject]; });
    /** @type {Module | null} */
    module = null;
    /**
     * Null before the first frame, and while the browser has taken the device away.
     * @type {Device | null}
     */
    device = null;
    canvas = document.createElement('canvas');
    /** At the picture's corners, clockwise. */
    marks = Array.from({length: 4}, () => document.createElement('i'));
    /** Whether it was connected before. */
    isStarted = false;
    /**
     * The pictures' files.
     * @type {Blob[]}
     */
    blobs = [];
    /** The scene's canvas, in pixels. */
    natural = [1, 1];
    /** Pixels of the device for one of the canvas. */
    scale = 0;
    /**
     * The device for which that was set.
     * @type {Device | null}
     */
    measured = null;
    isStale = true;
    /** The animation frame that was asked for; 0 for none. */
    asked = 0;
    /** How long the script took for the last frame. */
    milliseconds = 0;
    /** The state that was told last, as text. */
    lastState = '';
    /** A timer. */
    telling = 0;

    constructor() {
        super();
        // Those who want the reason ask for it.
        this.ready.catch(() => {});
    }

    connectedCallback() {
        if (this.isStarted) return;
        this.isStarted = true;
        this.start().then(this.keep, (error) => this.fail(error));
    }

    /** The last frame: `{width, height, data}`, straight RGBA, the top row first. */
    pixels() {
        if (!this.device) throw new Error('Nothing is drawn yet.');
        this.drawNow();
        return this.device.pixels();
    }

    /** The loupe: `open`, `center`, `focus`, `radius` and `zoom`, in canvas pixels of the scene. */
    get loupe() { return this.module?.state ?? null; }

    // Starting

    /** The figure's document, as the command wrote it. */
    get content() { return data.document; }

    /** Which figure of the page it is, from 0 on. */
    get number() { return 0; }

    /**
     * The bytes of a picture.
     * @param {number} index
     */
    picture(index) { return payload(`picture-${this.number}-${index}`); }

    /** Where a note for the reader is shown. */
    get note() { return document.getElementById('note'); }
    /** What is told to screen readers. */
    get told() { return document.getElementById('told'); }

    /** @param {number[]} size of the scene's canvas, in pixels */
    setSize([width, height]) {
        this.natural = [width, height];
        this.style.setProperty('--across', `${width}px`);
        this.style.setProperty('--ratio', String(width / height));
    }

    async start() {
        this.setSize([this.content.canvas.width, this.content.canvas.height]);
        const module = await Module.load();
        module.open(JSON.stringify(this.content));
        const {length} = this.content.pictures;
        this.blobs = Array.from({length}, (none, index) => new Blob([this.picture(index)]));
        this.canvas.setAttribute('aria-hidden', 'true');
        this.canvas.addEventListener('webglcontextlost', (event) => {
            event.preventDefault();
            this.device = null;
        });
        this.canvas.addEventListener('webglcontextrestored', () => this.begin().catch((error) => this.fail(error)));
        this.module = module;
        await this.begin();
        const frame = document.createElement('div');
        frame.style.cssText = `position: absolute; inset: 0; padding: inherit; display: grid; pointer-events: none;
            direction: ltr; writing-mode: horizontal-tb`;
        for (const [index, mark] of this.marks.entries()) {
            mark.style.cssText = `grid-area: 1 / 1; width: 0; height: 0; align-self: ${index < 2 ? 'start' : 'end'};
                justify-self: ${index % 3 ? 'end' : 'start'}`;
        }
        frame.append(...this.marks);
        this.append(this.canvas, frame);
        this.classList.add('live');
        this.listen(module);
        new ResizeObserver(() => this.resize()).observe(this);
        this.watchDensity();
        this.resize();
        this.drawNow();
    }

    /** Begins on a new device, or on one that is back. */
    async begin() {
        const probe = new Device(this.canvas, []);
        /** @type {string[]} */
        const notes = [];
        const {pictures} = this.content;
        probe.pictures = await Promise.all(this.blobs.map(async (blob, index) => {
            const {width, height} = pictures[index];
            const options = {...asStored};
            const factor = probe.side / Math.max(width, height);
            if (factor < 1) {
                options.resizeWidth = Math.max(1, Math.floor(width * factor));
                options.resizeHeight = Math.max(1, Math.floor(height * factor));
                options.resizeQuality = 'high';
                notes.push(`The page has ${width}×${height} pixels, and this device holds ${probe.side} a side: `
                    + `it is shown at ${Math.floor(factor * 100)} % of its size.`);
            }
            return createImageBitmap(blob, options);
        }));
        const {note} = this;
        if (note && notes.length) [note.textContent, note.hidden] = [notes[0], false];
        this.device = probe;
        this.isStale = true;
        this.module?.use(probe);
        this.measure();
        if (this.classList.contains('live')) this.draw();
    }

    /**
     * The picture of the file stays; a note says why.
     * @param {Error} error
     */
    fail(error) {
        this.classList.remove('live');
        this.classList.add('still');
        this.canvas.remove();
        this.device = null;
        const {note} = this;
        if (note) [note.textContent, note.hidden] = [`The loupe does not move here. ${error.message}`, false];
        this.reject(error);
    }

    // Drawing

    /** How many pixels of the device a canvas pixel has: as many as the figure is wide on the screen. */
    measure() {
        const [width, height] = this.natural;
        const shown = this.shownWidth || width;
        const wanted = Math.round(shown * devicePixelRatio);
        const most = Math.min(this.device?.side ?? 4096, Math.sqrt(2 ** 25 / (width * height)) * Math.max(width, height));
        const scale = Math.min(Math.abs(wanted - width) < 1 ? 1 : wanted / width, most / Math.max(width, height));
        if (scale === this.scale && this.measured === this.device) return false;
        [this.scale, this.measured] = [scale, this.device];
        this.module?.exports.loupe_scale(scale);
        return true;
    }

    resize() {
        if (this.device && this.measure()) this.draw();
    }

    /** The page is zoomed, or moved to another screen. */
    watchDensity() {
        matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
            this.resize();
            this.watchDensity();
        }, {once: true});
    }

    /** Draws before the browser shows its next frame. A page in the background draws nothing. */
    draw() {
        this.isStale = true;
        if (this.asked) return;
        this.asked = requestAnimationFrame(() => {
            this.asked = 0;
            this.drawNow();
        });
    }

    drawNow() {
        if (!this.isStale || !this.module || !this.device || this.device.gl.isContextLost()) return;
        const began = performance.now();
        this.isStale = false;
        try {
            this.module.draw(this.device);
        } catch (error) {
            this.fail(error instanceof Error ? error : new Error(String(error)));
        }
        this.milliseconds = performance.now() - began;
    }

    // The hand

    /**
     * A position on the screen, in canvas pixels of the scene.
     * @param {{clientX: number, clientY: number}} event
     * @returns {[number, number]}
     */
    place({clientX: x, clientY: y}) {
        const [a, b, c, d] = this.corners;
        // The projective map of a unit square to the corners (P. Heckbert, 1989), solved for the point of the square.
        const [sx, sy] = [a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y];
        const area = (b.x - c.x) * (d.y - c.y) - (d.x - c.x) * (b.y - c.y);
        const g = (sx * (d.y - c.y) - (d.x - c.x) * sy) / area;
        const h = ((b.x - c.x) * sy - sx * (b.y - c.y)) / area;
        const [ux, vx] = [b.x - a.x + g * (b.x - x), d.x - a.x + h * (d.x - x)];
        const [uy, vy] = [b.y - a.y + g * (b.y - y), d.y - a.y + h * (d.y - y)];
        const whole = ux * vy - vx * uy;
        const [width, height] = this.natural;
        return [
            width * ((x - a.x) * vy - vx * (y - a.y)) / whole, height * (ux * (y - a.y) - (x - a.x) * uy) / whole,
        ];
    }

    /** Where the picture's corners are on the screen, clockwise: the page may turn, mirror or tilt it. */
    get corners() { return this.marks.map((mark) => mark.getBoundingClientRect()); }

    /** How wide the picture is on the screen, in CSS pixels. */
    get shownWidth() {
        const [a, b] = this.corners;
        return Math.hypot(b.x - a.x, b.y - a.y);
    }

    /**
     * Every event goes to the module.
     * @param {Module} module
     */
    listen(module) {
        const {exports} = module;
        /**
         * The module's numbers of pointers that are down.
         * @type {Map<number, number>}
         */
        const ids = new Map();
        /**
         * The loupe of a finger lies beside it.
         * @param {PointerEvent} event
         */
        const keepAway = (event) => exports.loupe_finger_gap(
            event.pointerType === 'touch' ? awayFromFinger * this.natural[0] / this.shownWidth : 0);
        /**
         * @param {PointerEvent} event
         * @param {number} phase 0 began, 1 moved, 2 ended, 3 cancelled
         * @returns whether the pointer is down
         */
        const touch = (event, phase) => {
            if (phase === 0) {
                let id = 0;
                while ([...ids.values()].includes(id)) id++;
                ids.set(event.pointerId, id);
            }
            const id = ids.get(event.pointerId);
            if (id === undefined) return false;
            exports.loupe_touch(id, phase, ...this.place(event), event.timeStamp / 1000);
            if (phase >= 2) ids.delete(event.pointerId);
            this.changed(phase >= 2);
            return true;
        };
        this.addEventListener('pointerdown', (event) => {
            if (event.pointerType === 'mouse' && event.button !== 0) return;
            this.setPointerCapture(event.pointerId);
            keepAway(event);
            touch(event, 0);
        });
        this.addEventListener('pointermove', (event) => {
            if (touch(event, 1) || event.pointerType === 'touch') return;
            keepAway(event);
            exports.loupe_hover(...this.place(event));
            this.changed(false);
        });
        this.addEventListener('pointerup', (event) => touch(event, 2));
        this.addEventListener('pointercancel', (event) => touch(event, 3));
        this.addEventListener('pointerleave', (event) => {
            if (event.pointerType !== 'touch') exports.loupe_leave();
        });
        // In a page of one's own a finger beside the loupe scrolls (style sheet); on the loupe, and with another, it does not.
        this.addEventListener('touchstart', (event) => {
            const isOnLoupe = exports.loupe_holds(...this.place(event.touches[0]));
            if (isOnLoupe || event.touches.length > 1) event.preventDefault();
        }, {passive: false});
        this.addEventListener('dragstart', (event) => event.preventDefault());
        this.addEventListener('wheel', (event) => {
            // The wheel scrolls the page, unless the loupe is held or Ctrl is pressed; a pinch on a touchpad comes with Ctrl.
            if (!module.state.open || !(ids.size || event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
            exports.loupe_zoom(Math.exp(-event.deltaY * lines / 400));
            this.changed(true);
        }, {passive: false});
        this.addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const step = event.shiftKey ? 1 : 10;
            /** @type {Record<string, () => void>} */
            const actions = {
                ArrowLeft: () => exports.loupe_step(-step, 0), ArrowRight: () => exports.loupe_step(step, 0),
                ArrowUp: () => exports.loupe_step(0, -step), ArrowDown: () => exports.loupe_step(0, step),
                '+': () => exports.loupe_zoom(1.25), '=': () => exports.loupe_zoom(1.25),
                '-': () => exports.loupe_zoom(0.8), Escape: () => exports.loupe_put_away(),
            };
            const action = actions[event.key];
            if (!action) return;
            event.preventDefault();
            action();
            this.changed(true);
        });
    }

    /**
     * Draws, and reports where anything has changed.
     * @param {boolean} isOver whether a gesture has ended
     */
    changed(isOver) {
        const state = this.loupe;
        if (!state) return;
        const text = JSON.stringify(state);
        if (text !== this.lastState) {
            this.lastState = text;
            this.classList.toggle('closed', !state.open);
            this.draw();
            this.dispatchEvent(new CustomEvent('loupechange', {detail: state, bubbles: true}));
            this.tell(state);
        }
        if (isOver) this.dispatchEvent(new CustomEvent('loupeend', {detail: state, bubbles: true}));
    }

    /**
     * Tells screen readers the state, when it has rested for half a second.
     * @param {LoupeState} state
     */
    tell(state) {
        clearTimeout(this.telling);
        this.telling = window.setTimeout(() => {
            const {told} = this;
            if (!told) return;
            const [x, y] = state.focus.map(Math.round);
            told.textContent = state.open
                ? `Loupe at ${x}, ${y}, magnified ${Number(state.zoom.toFixed(1))} times.` : 'Loupe put away.';
        }, 500);
    }
}
