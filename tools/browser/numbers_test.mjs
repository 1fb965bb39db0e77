// Compares the numbers of plans and gestures in WebAssembly with those of the command's machine code, bit for bit:
//
//     node numbers_test.mjs probe.wasm FILE
//
// FILE is what LiveNumbersTests wrote: lines of "image", path, width, height, 1 if opaque; and of "scene" or "trace", the
// count of numbers, their hash, and the document with U+001E in place of line breaks.
import {readFileSync} from 'node:fs';

const [module, file] = process.argv.slice(2);
const {exports} = (await WebAssembly.instantiate(readFileSync(module), {})).instance;
const write = (text) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(exports.memory.buffer, exports.probe_reserve(bytes.length), bytes.length).set(bytes);
};
const half = (number) => (number >>> 0).toString(16).padStart(8, '0');

const compared = {scene: 0, trace: 0};
const wrong = [];
for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, ...parts] = line.split('\t');
    if (kind === 'image') {
        write(parts[0]);
        exports.probe_image(...parts.slice(1).map(Number));
        continue;
    }
    const [count, hash, text] = parts;
    write(text.replaceAll('\u001e', '\n'));
    const found = kind === 'scene' ? exports.probe_scene() : exports.probe_trace();
    compared[kind] += 1;
    if (found !== Number(count) || half(exports.probe_high()) + half(exports.probe_low()) !== hash.padStart(16, '0')) {
        wrong.push(`${kind} ${compared[kind]}: ${count} numbers, ${found} in WebAssembly: ${text}`);
    }
}
console.log(`numbers: ${compared.scene} plans and ${compared.trace} traces compared, ${wrong.length} differ`);
if (wrong.length || !compared.scene || !compared.trace) {
    console.error(wrong.slice(0, 5).join('\n'));
    process.exit(1);
}
