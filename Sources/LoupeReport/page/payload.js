// Bytes that a page holds as text.

/**
 * Bytes of an element of the page, as the command wrote them.
 * @param {string} name
 */
function payload(name) { return decoded(document.getElementById(`payload-${name}`)?.textContent ?? '', name); }

/**
 * Bytes of a text: how many zeros are added, then five characters for four bytes.
 * @param {string} text
 * @param {string} name for errors
 */
function decoded(text, name) {
    if (!text || text.length % 5 !== 1) throw new Error(`This file is incomplete: ${name} is missing or cut off.`);
    const digits = new Uint8Array(128).fill(255);
    let digit = 0;
    for (let code = 33; code < 127 && digit < 85; code++)
        if (![34, 38, 39, 60, 92].includes(code)) digits[code] = digit++;
    const bytes = new Uint8Array((text.length - 1) / 5 * 4);
    const view = new DataView(bytes.buffer);
    for (let at = 1; at < text.length; at += 5) {
        let value = 0;
        for (let index = at; index < at + 5; index++) {
            const found = digits[text.charCodeAt(index) & 127];
            if (found === 255 || text.charCodeAt(index) > 127) throw new Error(`This file is damaged in ${name}.`);
            value = value * 85 + found;
        }
        view.setUint32((at - 1) / 5 * 4, value);
    }
    return bytes.subarray(0, bytes.length - Number(text[0]));
}

/**
 * The bytes that were deflated.
 * @param {Uint8Array} bytes
 * @param {string} name for errors
 */
async function inflated(bytes, name) {
    // Compilers of before 2023 do not know it, nor do browsers of then.
    const {DecompressionStream} = /** @type {any} */ (window);
    if (!DecompressionStream) throw new Error('This browser is too old: it lacks DecompressionStream.');
    try {
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
        return await new Response(stream).arrayBuffer();
    } catch {
        throw new Error(`This file is damaged in ${name}.`);
    }
}
