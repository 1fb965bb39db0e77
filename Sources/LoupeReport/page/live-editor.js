// The editor's page: the figure with handles, and a panel. The module decides what events do (Sources/LoupeCompose); this
// script forwards them, shows the handles that the module names, and fills the panel's fields with the module's values.

/** The parts of handles, in the order of `Handle.Part`, and the pointer over them. */
const parts = ['loupe', 'focus', 'both', 'radius', 'zoom'];
const pointers = ['default', 'move', 'move', 'move', 'nwse-resize', 'nwse-resize'];

/** How far a mouse and a finger may miss a handle, in pixels of the screen. */
const reaches = {mouse: 9, touch: 22};

/**
 * The element of an id.
 * @param {string} id
 */
function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`The page has no ${id}.`);
    return found;
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

/**
 * A PNG of a frame. The browser rounds the colours of translucent pixels.
 * @param {{width: number, height: number, data: Uint8ClampedArray}} frame
 * @returns {Promise<Blob>}
 */
function pngFile({width, height, data: pixels}) {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
    return new Promise((keep, fail) => canvas.toBlob((blob) => {
        if (blob) keep(blob);
        else fail(new Error('This browser makes no PNG of that size.'));
    }));
}

/**
 * Copies a text; a page from disk may have to select it for that.
 * @param {string} text
 */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = element('textarea', {});
        document.body.append(area);
        /** @type {HTMLTextAreaElement} */ (area).value = text;
        /** @type {HTMLTextAreaElement} */ (area).select();
        const isCopied = document.execCommand('copy');
        area.remove();
        if (!isCopied) throw new Error('This browser does not let the page copy.');
    }
}

class FigureEditor extends LoupeFigure {
    /**
     * The editor's state, as the module tells it (`FigureEditor.state`).
     * @type {any}
     */
    state = {};
    /** The pointer that holds something. */
    pointer = -1;

    /** The editor's state; for other scripts. */
    get editor() { return this.state; }

    /** The scene in JSON. */
    get scene() { return this.text(1); }

    /** The data of an editor is packed. */
    async start() {
        Object.assign(data, JSON.parse(new TextDecoder().decode(await inflated(payload('data'), 'data'))));
        await super.start();
    }

    // The module

    /**
     * A text that the module makes.
     * @param {number} kind 0 the state, 1 the scene
     */
    text(kind) {
        const module = this.opened();
        const count = module.exports.loupe_edit_text(kind);
        const start = module.exports.loupe_edit_answer();
        return new TextDecoder().decode(new Uint8Array(module.memory.buffer, start, count));
    }

    opened() {
        if (!this.module) throw new Error('The figure is not open yet.');
        return this.module;
    }

    /**
     * Asks the module to do something, and shows what has become of it.
     * @param {Record<string, unknown>} request
     */
    perform(request) {
        try {
            this.opened().give(JSON.stringify(request), 'loupe_edit_do');
            this.changed(true);
        } catch (error) {
            this.changed(false);
            this.say(error instanceof Error ? error.message.replace(/^\w+: /, '') : String(error), true);
        }
    }

    /**
     * Opens the editor on the first device.
     * @param {Module} module
     */
    listen(module) {
        module.give(JSON.stringify(data.editor), 'loupe_edit_open');
        module.exports.loupe_edit_update();
        this.listenToPointers(module);
        this.listenToKeys(module);
        this.fillPanel();
        const view = /** @type {HTMLSelectElement} */ (byId('view'));
        view.addEventListener('change', () => {
            byId('frame').style.setProperty('--view', view.value);
            byId('frame').classList.toggle('sized', view.value !== '0');
        });
        new ResizeObserver(() => this.showHandles()).observe(this);
        this.changed(false);
    }

    // Other commands and other pages

    /**
     * Draws a command that was typed.
     * @param {string} command
     * @param {{file: Blob, width: number, height: number}} [other] another page, whose pixels the module has
     */
    async type(command, other) {
        const module = this.opened();
        module.give(command, 'loupe_edit_command');
        const {letters, opaque, editor, ...parts} = JSON.parse(module.message);
        const {sheet, pictures, alphabet} = data.document;
        const texts = alphabet.texts.map((/** @type {any} */ text) =>
            ({...text, width: text.width * letters, height: text.height * letters}));
        Object.assign(data.document, parts, {drawings: [], texts: []});
        data.document.alphabet = {...alphabet, texts, scale: alphabet.scale / letters};
        if (other) {
            const {file, width, height} = other;
            this.blobs = [file, this.blobs[sheet.picture]];
            data.document.images = [{path: '0', picture: 0, opaque}];
            data.document.pictures = [{width, height}, ...pictures.slice(sheet.picture)];
            sheet.picture = data.document.alphabet.picture = 1;
        }
        data.editor = editor;
        module.open(JSON.stringify(data.document));
        this.device?.release();
        await this.begin();
        module.give(JSON.stringify(data.editor), 'loupe_edit_open');
        this.showName();
        this.changed(true);
    }

    /**
     * Opens a picture of the reader's in place of the page.
     * @param {File} file
     */
    async openPicture(file) {
        const picture = await createImageBitmap(file).catch(() => {
            throw new Error(`${file.name} is no picture that this browser reads; take a PNG, a JPEG or a WebP.`);
        });
        const {width, height} = picture;
        const context = board(width, height);
        context.drawImage(picture, 0, 0);
        const image = context.getImageData(0, 0, width, height);
        const module = this.opened();
        module.giveBytes(new Uint8Array(image.data.buffer), 'loupe_edit_page', width, height);
        const name = `'${file.name.replaceAll("'", "'\\''")}'`;
        await this.type(`loupe-render ${name} --callout 50%,50%`, {file: await pngFile(image), width, height});
        return `${file.name} is open. It stays in this browser.`;
    }

    showName() {
        byId('title').textContent = data.editor.sceneName.replace(/\.json$/, '');
        document.title = `${byId('title').textContent} – Loupe editor`;
    }

    // The hand

    /** How many canvas pixels a pixel of the screen is wide. */
    get unit() { return this.natural[0] / Math.max(1, this.getBoundingClientRect().width); }

    /** @param {Module} module */
    listenToPointers(module) {
        const {exports} = module;
        const frame = byId('frame');
        const reach = (/** @type {PointerEvent} */ event) => event.pointerType === 'touch' ? reaches.touch : reaches.mouse;
        frame.addEventListener('pointerdown', (event) => {
            if (event.pointerType === 'mouse' && event.button !== 0 || this.pointer >= 0) return;
            event.preventDefault();
            const isHeld = exports.loupe_edit_press(...this.place(event), this.unit, reach(event));
            this.changed(false);
            this.focusHandle();
            if (!isHeld) return;
            this.pointer = event.pointerId;
            frame.setPointerCapture(event.pointerId);
        });
        frame.addEventListener('pointermove', (event) => {
            if (event.pointerId === this.pointer) {
                exports.loupe_edit_move(...this.place(event), event.altKey ? 0 : 1);
                this.changed(false);
            } else if (this.pointer < 0) {
                frame.style.cursor = pointers[exports.loupe_edit_at(...this.place(event), this.unit, reach(event))];
            }
        });
        const end = (/** @type {PointerEvent} */ event) => {
            if (event.pointerId !== this.pointer) return;
            this.pointer = -1;
            exports[event.type === 'pointerup' ? 'loupe_edit_release' : 'loupe_edit_cancel']();
            this.changed(true);
        };
        frame.addEventListener('pointerup', end);
        frame.addEventListener('pointercancel', end);
        frame.addEventListener('dblclick', (event) => {
            if (exports.loupe_edit_at(...this.place(event), this.unit, reaches.mouse) !== 0) return;
            this.perform({do: 'add', at: this.place(event)});
            this.focusHandle();
        });
        frame.addEventListener('dragstart', (event) => event.preventDefault());
        byId('stage').addEventListener('pointerdown', (event) => {
            if (event.target === byId('stage')) this.perform({do: 'select'});
        });
    }

    /** The keyboard goes on where the hand was. */
    focusHandle() {
        const part = this.state.pressed ?? 'loupe';
        const handle = /** @type {HTMLElement | null} */ (document.querySelector(`#handles [data-part="${part}"]`));
        handle?.focus({preventScroll: true});
    }

    /** @param {Module} module */
    listenToKeys(module) {
        const {exports} = module;
        byId('stage').addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const steps = /** @type {Record<string, [number, number]>} */ ({
                ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
            });
            const step = steps[event.key];
            if (step && this.state.selected !== undefined) {
                const target = /** @type {HTMLElement} */ (event.target);
                const part = Math.max(0, parts.indexOf(target.dataset.part ?? 'loupe'));
                exports.loupe_edit_nudge(part, this.state.selected, ...step, event.shiftKey ? 1 : 0);
                this.changed(true);
            } else if (event.key === 'Delete' || event.key === 'Backspace') {
                this.perform({do: 'delete'});
            } else if (event.key === 'Escape') {
                if (this.pointer < 0) return this.perform({do: 'select'});
                this.pointer = -1;
                exports.loupe_edit_cancel();
                this.changed(true);
            } else if (event.key === '+' || event.key === '=' || event.key === '-') {
                if (this.state.selected === undefined) return;
                exports.loupe_edit_nudge(parts.indexOf('zoom'), this.state.selected, event.key === '-' ? -1 : 1, 0, 0);
                this.changed(true);
            } else {
                return;
            }
            event.preventDefault();
        });
        document.addEventListener('keydown', (event) => {
            const isText = event.target instanceof HTMLInputElement && event.target.type !== 'radio'
                && event.target.type !== 'checkbox' || event.target instanceof HTMLTextAreaElement
                || event.target instanceof HTMLSelectElement;
            const isCommand = event.ctrlKey || event.metaKey;
            const key = event.key.toLowerCase();
            // Choices and swatches have nothing of their own to undo.
            const undoes = event.target instanceof HTMLTextAreaElement
                || event.target instanceof HTMLInputElement && isText && event.target.type !== 'color';
            if (isCommand && !event.altKey && !undoes && (key === 'z' || key === 'y')) {
                event.preventDefault();
                this.perform({do: key === 'y' || event.shiftKey ? 'redo' : 'undo'});
            } else if (isCommand && key === 's' && !byId('save').hidden) {
                event.preventDefault();
                byId('save').click();
            } else if (!isCommand && !event.altKey && !isText && key === 'n') {
                this.perform({do: 'add'});
                this.focusHandle();
            }
        });
    }

    // What is shown

    /** @param {boolean} isOver whether a gesture has ended */
    changed(isOver) {
        this.state = JSON.parse(this.text(0));
        // A frame makes the canvas larger.
        if (this.state.canvas.join() !== this.natural.join()) {
            this.setSize(this.state.canvas);
            this.measure();
        }
        this.draw();
        this.showHandles();
        this.showPanel();
        if (isOver) {
            this.dispatchEvent(new CustomEvent('loupeend', {detail: this.state, bubbles: true}));
            if (this.state.message) this.say(this.state.message);
        }
        this.dispatchEvent(new CustomEvent('loupechange', {detail: this.state, bubbles: true}));
    }

    /**
     * Tells everybody.
     * @param {string} text
     * @param {boolean} [isWrong]
     */
    say(text, isWrong = false) {
        const told = byId('told');
        told.textContent = text;
        told.classList.toggle('wrong', isWrong);
        told.classList.add('seen');
        clearTimeout(this.telling);
        this.telling = window.setTimeout(() => told.classList.remove('seen'), 5000);
    }

    showHandles() {
        const {handles = [], outlines = [], guides = [], selected} = this.state;
        const unit = this.unit;
        const [width, height] = this.natural;
        const overlay = byId('overlay');
        overlay.setAttribute('viewBox', `0 0 ${width} ${height}`);
        overlay.replaceChildren(
            ...guides.map((/** @type {{x?: number, y?: number}} */ guide) => drawing('line', {
                class: 'guide', 'stroke-width': unit,
                x1: guide.x ?? 0, x2: guide.x ?? width, y1: guide.y ?? 0, y2: guide.y ?? height,
            })),
            ...outlines.flatMap((/** @type {any} */ outline) => ['under', 'over'].map((layer) => drawing('rect', {
                class: `${outline.kind} ${layer}`, x: outline.x, y: outline.y, width: outline.width,
                height: outline.height, rx: outline.radius, 'stroke-width': (layer === 'under' ? 3.5 : 1.5) * unit,
                'stroke-dasharray': layer === 'over' && outline.kind === 'source' ? `${4 * unit} ${3 * unit}` : 'none',
            }))));
        const box = byId('handles');
        const shown = [...box.children].map((node) => /** @type {HTMLElement} */ (node).dataset.part).join();
        if (shown !== handles.map((/** @type {{part: string}} */ handle) => handle.part).join()) {
            box.replaceChildren(...handles.map((/** @type {{part: string}} */ handle) =>
                element('button', {type: 'button', class: 'handle', 'data-part': handle.part})));
        }
        handles.forEach((/** @type {{x: number, y: number, label: string}} */ handle, /** @type {number} */ index) => {
            const node = /** @type {HTMLElement} */ (box.children[index]);
            node.setAttribute('aria-label', handle.label);
            node.style.left = `${handle.x / width * 100}%`;
            node.style.top = `${handle.y / height * 100}%`;
        });
        this.setAttribute('aria-label', selected === undefined
            ? `Figure with ${this.state.loupes?.length ?? 0} loupes` : this.state.handles[0]?.label ?? '');
    }

    // The panel

    /** Makes what the template leaves out, and listens to every field. */
    fillPanel() {
        this.showName();
        for (const place of document.querySelectorAll('[data-color]')) {
            const {color = '', label = ''} = /** @type {HTMLElement} */ (place).dataset;
            const swatch = element('input', {type: 'color', 'data-swatch': color, 'aria-label': label});
            const text = element('input', {
                type: 'text', 'data-field': color, 'data-look': '', 'aria-label': `${label}: #rrggbb, #rrggbbaa or a name; empty for auto`,
                spellcheck: 'false', maxlength: '30', size: '9',
            });
            place.append(swatch, text);
            swatch.addEventListener('input', () => {
                const old = /** @type {HTMLInputElement} */ (text).placeholder;
                const alpha = old.length === 9 ? old.slice(7) : '';
                this.perform({do: 'set', field: color, value: /** @type {HTMLInputElement} */ (swatch).value + alpha});
            });
        }
        document.addEventListener('change', (event) => {
            const field = event.target;
            if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || !field.dataset.field) return;
            const isEmpty = field.value === '';
            /** @type {unknown} */
            let value = field.value;
            if (field instanceof HTMLInputElement && field.type === 'checkbox') value = field.checked;
            else if (isEmpty) value = null;
            else if (field.type === 'number') value = Number(field.value);
            if (value === null && field.type === 'number' && !('look' in field.dataset)) return this.showPanel(true);
            this.perform({do: 'set', field: field.dataset.field, value});
        });
        document.addEventListener('click', (event) => {
            const button = /** @type {HTMLElement | null} */ (
                event.target instanceof Element ? event.target.closest('[data-do]') : null);
            if (!button?.dataset.do) return;
            const {do: action, connector} = button.dataset;
            this.perform(connector === undefined ? {do: action} : {do: action, connector: connector || null});
        });
        /**
         * @param {string} id
         * @param {() => Promise<string>} action its result is told
         */
        const offer = (id, action) => byId(id).addEventListener('click', () => {
            action().then((text) => this.say(text), (error) => this.say(error.message, true));
        });
        offer('copy-command', async () => { await copy(this.state.command); return 'The command is copied.'; });
        offer('copy-scene', async () => { await copy(this.scene); return 'The scene is copied.'; });
        offer('download-scene', async () => {
            download(new Blob([this.scene], {type: 'application/json'}), this.state.sceneName);
            return `${this.state.sceneName} belongs beside the figure.`;
        });
        offer('download-png', async () => {
            download(await this.png(), this.state.output);
            return `${this.state.output} is as large as the command draws it.`;
        });
        if (data.document.page) this.listenToCommands();
        if (!data.save) return;
        byId('save').hidden = false;
        offer('save', async () => {
            const answer = await fetch(data.save, {method: 'POST', body: this.scene, headers: {'Content-Type': 'application/json'}});
            const text = await answer.text();
            if (!answer.ok) throw new Error(`The scene is not saved: ${text.trim()}`);
            document.body.classList.add('saved');
            /** @type {HTMLButtonElement} */ (byId('save')).disabled = true;
            byId('save').textContent = 'Saved';
            return `${text.trim()} You can close this page.`;
        });
    }

    /** A page with flags takes other commands; where no server waits for its scene, other pictures, too. */
    listenToCommands() {
        const told = (/** @type {Promise<string>} */ action) =>
            action.then((text) => this.say(text), (error) => this.say(error.message.replace(/^\w+: /, ''), true));
        const command = /** @type {HTMLTextAreaElement} */ (byId('command'));
        command.readOnly = false;
        command.addEventListener('keydown', (event) => {
            if (event.key !== 'Enter' || event.shiftKey) return;
            event.preventDefault();
            told(this.type(command.value).then(() => 'The command is drawn.'));
        });
        byId('draw-command').hidden = false;
        byId('draw-command').addEventListener('click', () => told(this.type(command.value).then(() => 'The command is drawn.')));
        if (data.save) return;
        const file = /** @type {HTMLInputElement} */ (byId('picture'));
        byId('open').hidden = false;
        byId('open').addEventListener('click', () => file.click());
        const open = (/** @type {FileList | undefined | null} */ files) => { if (files?.[0]) told(this.openPicture(files[0])); };
        file.addEventListener('change', () => open(file.files));
        document.addEventListener('dragover', (event) => event.preventDefault());
        document.addEventListener('drop', (event) => {
            event.preventDefault();
            open(event.dataTransfer?.files);
        });
        document.addEventListener('paste', (event) => open(event.clipboardData?.files));
    }

    /** A PNG of the figure in the size in which the command draws it. */
    async png() {
        const module = this.opened();
        if (!this.device) throw new Error('Nothing is drawn yet.');
        module.exports.loupe_scale(1);
        module.draw(this.device);
        const frame = this.device.pixels();
        module.exports.loupe_scale(this.scale);
        this.isStale = true;
        this.drawNow();
        return pngFile(frame);
    }

    /** @param {boolean} [isForced] whether a field that is being written in is set, too */
    showPanel(isForced = false) {
        const {state} = this;
        const hasSelection = state.selected !== undefined;
        byId('empty').hidden = state.loupes.length > 0;
        byId('fields').hidden = byId('loupe-actions').hidden = !hasSelection;
        byId('frame-choice').hidden = !state.canHaveFrame;
        const list = byId('loupes');
        while (list.children.length > state.loupes.length) list.lastElementChild?.remove();
        while (list.children.length < state.loupes.length) {
            const index = list.children.length;
            const chip = element('button', {type: 'button'});
            chip.addEventListener('click', () => this.perform({do: 'select', loupe: index}));
            list.append(chip);
        }
        state.loupes.forEach((/** @type {{name: string}} */ loupe, /** @type {number} */ index) => {
            list.children[index].textContent = loupe.name;
            list.children[index].setAttribute('aria-pressed', String(index === state.selected));
        });
        for (const button of document.querySelectorAll('[data-do="undo"], [data-do="redo"]'))
            /** @type {HTMLButtonElement} */ (button).disabled = !state[/** @type {HTMLElement} */ (button).dataset.do ?? ''];
        const command = /** @type {HTMLTextAreaElement} */ (byId('command'));
        if (command.value !== state.command) command.value = state.command;
        const fields = {...state.figure, ...state.fields};
        if (hasSelection) {
            byId('selected-name').textContent = state.loupes[state.selected].name;
            const {shows, shape, ring, connector} = state.fields;
            const hidden = {
                focusX: shows === 'below', focusY: shows === 'below', radius: shape === 'rectangle',
                width: shape === 'disc', height: shape === 'disc',
            };
            for (const [name, isHidden] of Object.entries(hidden))
                /** @type {HTMLElement} */ (document.querySelector(`[data-for="${name}"]`)).hidden = isHidden;
            const disabled = {
                ring: shows === 'below', connector: shows === 'below', 'callout.ring.width': !ring, 'callout.ring.color': !ring,
                'callout.connector.width': !connector || connector === 'cone', 'callout.connector.color': !connector,
            };
            for (const [name, isDisabled] of Object.entries(disabled))
                for (const field of document.querySelectorAll(`[data-field="${name}"], [data-swatch="${name}"]`))
                    /** @type {HTMLInputElement} */ (field).disabled = isDisabled;
        }
        for (const field of document.querySelectorAll('[data-field]')) {
            if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
            const name = field.dataset.field ?? '';
            if (!(name in fields)) continue;
            this.showField(field, fields[name], isForced);
        }
    }

    /**
     * What a field shows of a value: numbers with at most four decimals.
     * @param {any} value
     */
    static text(value) {
        return value === null ? '' : String(typeof value === 'number' ? Number(value.toFixed(4)) : value);
    }

    /**
     * @param {HTMLInputElement | HTMLSelectElement} field
     * @param {any} value the value, or for parts of a look `{value, auto}`
     * @param {boolean} isForced
     */
    showField(field, value, isForced) {
        if (field.type === 'radio') {
            /** @type {HTMLInputElement} */ (field).checked = field.value === value;
        } else if (field.type === 'checkbox') {
            /** @type {HTMLInputElement} */ (field).checked = value;
        } else if ('look' in field.dataset) {
            const input = /** @type {HTMLInputElement} */ (field);
            const text = FigureEditor.text(value.value);
            input.placeholder = value.auto ? text && `auto ${text}` : text;
            if (field.type === 'text') input.placeholder = text || 'auto';
            input.classList.toggle('auto', value.auto);
            if (document.activeElement !== input || isForced || !input.matches(':focus-visible')) input.value = value.auto ? '' : text;
            const swatch = /** @type {HTMLInputElement | null} */ (
                document.querySelector(`[data-swatch="${field.dataset.field}"]`));
            swatch?.classList.toggle('unset', text === '');
            if (swatch && document.activeElement !== swatch) swatch.value = text.slice(0, 7) || '#888888';
        } else {
            const text = FigureEditor.text(value);
            if (field.value !== text) field.value = text;
        }
    }
}

customElements.define('loupe-figure', FigureEditor);
