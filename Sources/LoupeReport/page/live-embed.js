// The element <loupe-figure src="…"> of pages that hold several figures. This script has the module; each figure comes from a
// file of its own, which is `loupeFigure(`, JSON and `);`. It is read as data. Only on pages that are opened from disk, where
// browsers refuse that, it is run as a script.

/** @typedef {{format: string, label: string, still: string, document: any, pictures: string[]}} FigureFile */

const wrapping = ['loupeFigure(', ');'];

/**
 * Figures that are read from disk, one after another.
 * @type {Promise<unknown>}
 */
let reading = Promise.resolve();

/**
 * What a file on disk calls with its content.
 * @type {((content: FigureFile) => void) | undefined}
 */
let receive;

/**
 * Runs a figure's file.
 * @param {string} source
 * @returns {Promise<FigureFile>}
 */
function fromDisk(source) {
    const read = reading.then(() => new Promise((keep, reject) => {
        const script = document.createElement('script');
        receive = keep;
        script.onload = () => reject(new Error(`${source} is not the file of a figure.`));
        script.onerror = () => reject(new Error(`${source} can't be loaded.`));
        script.src = source;
        document.head.append(script);
        script.remove();
    }));
    reading = read.catch(() => {});
    return read;
}

/**
 * Reads a figure's file.
 * @param {string} source
 * @returns {Promise<FigureFile>}
 */
async function fromServer(source) {
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`${source} can't be loaded: ${answer.status} ${answer.statusText}`);
    const text = (await answer.text()).trim();
    const [start, end] = wrapping;
    try {
        if (text.startsWith(start) && text.endsWith(end)) return JSON.parse(text.slice(start.length, -end.length));
    } catch { /* It is told below. */ }
    throw new Error(`${source} is not the file of a figure.`);
}

class EmbeddedFigure extends LoupeFigure {
    /**
     * The figure's file.
     * @type {FigureFile | null}
     */
    file = null;
    isWatched = false;
    /** Whether the figure is seen, or about to be. */
    isNear = false;
    /** Whether the browser has told that the device is lost: it gives none again before. */
    isTold = false;
    /** @type {WebGL2RenderingContext | undefined} */
    gl;
    /**
     * What gives the figure's device back to the browser, and takes it again.
     * @type {WEBGL_lose_context | null | undefined}
     */
    giving = null;
    ownNote = document.createElement('p');
    ownTold = document.createElement('p');

    get content() { return this.file?.document; }
    /** @param {number} index */
    picture(index) { return decoded(this.file?.pictures[index] ?? '', `picture ${index}`); }
    get note() { return this.ownNote; }
    get told() { return this.ownTold; }

    /**
     * Browsers draw few figures at a time, so one starts when it is about to be seen, and gives its device back when it is far
     * away: its picture stands there then.
     */
    connectedCallback() {
        if (this.isWatched) return;
        this.isWatched = true;
        new IntersectionObserver((entries) => {
            this.isNear = entries[entries.length - 1].isIntersecting;
            if (this.isStarted) this.giveOrTake();
            else if (this.isNear) super.connectedCallback();
        }, {rootMargin: '100%'}).observe(this);
    }

    /** Gives the device back where the figure is far away, and takes it again where it is near. */
    giveOrTake() {
        this.gl ??= this.device?.gl;
        if (!this.gl || this.isNear !== this.gl.isContextLost()) return;
        this.giving ??= this.gl.getExtension('WEBGL_lose_context');
        if (!this.isNear) this.giving?.loseContext();
        else if (this.isTold) this.giving?.restoreContext();
        this.isTold = false;
    }

    async begin() {
        await super.begin();
        if (!this.canvas.isConnected || this.device?.gl.isContextLost()) return;
        this.classList.add('live');
        this.draw();
        this.giveOrTake();
    }

    /** Of the element; in a shadow root, that of the document does not hold. */
    static sheet = new CSSStyleSheet();

    async start() {
        const root = this.getRootNode();
        if (root instanceof ShadowRoot) root.adoptedStyleSheets = [...root.adoptedStyleSheets, EmbeddedFigure.sheet];
        this.ownTold.setAttribute('role', 'status');
        this.ownTold.className = 'loupe-told';
        this.ownNote.className = 'loupe-note';
        this.ownNote.hidden = true;
        this.after(this.ownNote, this.ownTold);
        this.canvas.addEventListener('webglcontextlost', () => {
            this.classList.remove('live');
            this.isTold = true;
            setTimeout(() => this.giveOrTake());
        });
        const source = this.getAttribute('src');
        if (!source) throw new Error('This <loupe-figure> has no src.');
        const {href, protocol} = new URL(source, document.baseURI);
        const isOnDisk = location.protocol === 'file:' && protocol === 'file:';
        const file = await (isOnDisk ? fromDisk(href) : fromServer(href));
        if (file?.format !== 'loupe-figure/1') throw new Error(`${source} is not the file of a figure, or of another version.`);
        this.file = file;
        const {width, height} = file.document.canvas;
        const usual = {role: 'img', tabindex: '0', 'aria-label': file.label};
        for (const [name, value] of Object.entries(usual)) if (!this.hasAttribute(name)) this.setAttribute(name, value);
        // The page's own picture stays for readers without scripts; otherwise that of the file stands in until the first frame.
        if (!this.querySelector('img')) {
            const image = document.createElement('img');
            [image.alt, image.width, image.height, image.src] = [file.label, width, height, file.still];
            this.append(image);
        }
        await super.start();
    }
}

if (!customElements.get('loupe-figure')) {
    Module.bytes = (name) => decoded(held[name] ?? '', name);
    Object.defineProperty(window, 'loupeFigure', {value: (/** @type {FigureFile} */ file) => receive?.(file)});
    const {sheet} = EmbeddedFigure;
    sheet.replaceSync(`
        loupe-figure {
            display: block; position: relative; width: fit-content; max-width: 100%; touch-action: pan-x pan-y; cursor: none;
        }
        loupe-figure:not(.live), loupe-figure.closed { cursor: crosshair; }
        loupe-figure img { display: block; width: var(--across); max-width: 100%; height: auto; aspect-ratio: var(--ratio); }
        loupe-figure[style*=width] img { width: 100%; }
        loupe-figure:not(.live) canvas { display: none; }
        loupe-figure.live img { visibility: hidden; }
        loupe-figure.live canvas {
            position: absolute; inset: 0; width: 100%; height: 100%; padding: inherit; box-sizing: border-box;
        }
        .loupe-told { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); margin: 0; }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    customElements.define('loupe-figure', EmbeddedFigure);
}
