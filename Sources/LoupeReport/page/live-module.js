// The WebAssembly module: the project's own scene, plan, gestures and painters. It imports nothing.

/**
 * The loupe in canvas pixels of the scene.
 * @typedef {{open: boolean, center: number[], focus: number[], radius: number, zoom: number}} LoupeState
 */

/** The module with one figure open. */
class Module {
    /**
     * The figures of a page share the code.
     * @type {Promise<WebAssembly.Module> | undefined}
     */
    static code;
    /** The deflated module, by its name. */
    static bytes = payload;

    static async load() {
        Module.code ??= inflated(Module.bytes('module'), 'module').then((bytes) => WebAssembly.compile(bytes));
        const instance = await WebAssembly.instantiate(await Module.code, {});
        return new Module(instance.exports);
    }

    /** @param {WebAssembly.Exports} exports of Sources/LoupeWeb/Figure/Exports.swift */
    constructor(exports) {
        this.exports = /** @type {Record<string, (...values: number[]) => number>} */ (exports);
        this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    }

    /**
     * Calls a function that can fail.
     * @param {string} name
     * @param {...number} values
     */
    call(name, ...values) {
        const result = this.exports[name](...values);
        if (result >= 0) return result;
        throw new Error(this.message);
    }

    /** The reason of the last failure, or the text that the last call gave. */
    get message() {
        const start = this.exports.loupe_message();
        return new TextDecoder().decode(new Uint8Array(this.memory.buffer, start, this.exports.loupe_message_count()));
    }

    /**
     * Reads the document.
     * @param {string} text
     */
    open(text) { this.give(text, 'loupe_open'); }

    /**
     * Calls a function that reads a text.
     * @param {string} text
     * @param {string} name
     */
    give(text, name) { this.giveBytes(new TextEncoder().encode(text), name); }

    /**
     * Calls a function that reads bytes.
     * @param {Uint8Array} bytes
     * @param {string} name
     * @param {...number} values
     */
    giveBytes(bytes, name, ...values) {
        const start = this.exports.loupe_reserve(bytes.length);
        new Uint8Array(this.memory.buffer, start, bytes.length).set(bytes);
        this.call(name, ...values);
    }

    /**
     * Calls a function that answers with JSON.
     * @param {string} name
     * @param {...number} values
     */
    ask(name, ...values) {
        this.call(name, ...values);
        return JSON.parse(this.message);
    }

    /**
     * Calls a function that answers with numbers.
     * @param {string} name
     * @param {number} count
     */
    numbers(name, count) { return new Float64Array(this.memory.buffer, this.exports[name](), count); }

    /**
     * Begins on a device.
     * @param {Device} device
     */
    use(device) {
        device.pictures.forEach((picture, index) => this.exports.loupe_picture(index, picture.width, picture.height));
        this.exports.loupe_context(device.side, Number(device.hasFloats), Number(device.hasHalfFloats),
            Number(device.blendsFloats));
    }

    /**
     * Draws what there is to be seen now.
     * @param {Device} device
     */
    draw(device) {
        const count = this.call('loupe_draw');
        device.run(this.memory.buffer, this.exports.loupe_stream(), count);
        this.exports.loupe_drawn();
    }

    /** @returns {LoupeState} */
    get state() {
        const [isOpen, x, y, focusX, focusY, radius, zoom] = this.numbers('loupe_state', 7);
        return {open: isOpen === 1, center: [x, y], focus: [focusX, focusY], radius, zoom};
    }
}
