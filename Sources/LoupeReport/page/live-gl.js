// Carries out the commands that the module has recorded, with WebGL2. What is drawn, the module decides; see
// Sources/LoupeWeb/Device/CommandStream.swift for the commands and their operands.

/** @typedef {{texture: WebGLTexture | null, format: number, width: number, height: number}} DeviceTexture */
/** @typedef {{name: WebGLFramebuffer | null, width: number, height: number}} DeviceTarget */
/** @typedef {{name: WebGLProgram | null, uniforms: (WebGLUniformLocation | null)[]}} DeviceProgram */

/** Formats of textures, in the order of `WebTexture.Format`; `Values` is what the module's bytes are for WebGL2. */
const formats = /** @type {const} */ ([
    {sized: 'RGBA8', components: 'RGBA', type: 'UNSIGNED_BYTE', Values: Uint8Array},
    {sized: 'RGBA16F', components: 'RGBA', type: 'HALF_FLOAT', Values: Uint16Array},
    {sized: 'RGBA16UI', components: 'RGBA_INTEGER', type: 'UNSIGNED_SHORT', Values: Uint16Array},
    {sized: 'RGBA32UI', components: 'RGBA_INTEGER', type: 'UNSIGNED_INT', Values: Uint32Array},
    {sized: 'R32F', components: 'RED', type: 'FLOAT', Values: Float32Array},
    {sized: 'RGBA32F', components: 'RGBA', type: 'FLOAT', Values: Float32Array},
]);

/** What WebGL2 itself refuses. */
class DeviceError extends Error {}

/** The objects of one context, by the module's numbers. */
class Device {
    /**
     * @param {HTMLCanvasElement} canvas
     * @param {ImageBitmap[]} pictures
     */
    constructor(canvas, pictures) {
        const gl = canvas.getContext('webgl2', {
            alpha: true, antialias: false, depth: false, stencil: false, premultipliedAlpha: false,
        });
        if (!gl) throw new DeviceError('This browser has no WebGL2.');
        this.gl = gl;
        this.canvas = canvas;
        this.pictures = pictures;
        this.hasFloats = Boolean(gl.getExtension('EXT_color_buffer_float'));
        this.hasHalfFloats = Boolean(gl.getExtension('EXT_color_buffer_half_float'));
        this.blendsFloats = Boolean(gl.getExtension('EXT_float_blend'));
        if (!this.hasFloats && !this.hasHalfFloats)
            throw new DeviceError('This device can draw neither into floats nor into half floats.');
        const [width, height] = gl.getParameter(gl.MAX_VIEWPORT_DIMS);
        this.side = Math.min(gl.getParameter(gl.MAX_TEXTURE_SIZE), width, height);
        /** @type {DeviceTexture[]} */
        this.textures = [];
        /** @type {DeviceTarget[]} */
        this.targets = [];
        /** @type {DeviceProgram[]} */
        this.programs = [];
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
        gl.enableVertexAttribArray(0);
        /** @type {DeviceTarget | null} */
        this.shown = null;
        gl.disable(gl.DITHER);
        gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
        gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    }

    /**
     * Carries out a frame.
     * @param {ArrayBuffer} memory
     * @param {number} start in bytes
     * @param {number} count of words
     */
    run(memory, start, count) {
        const gl = this.gl;
        const words = new Int32Array(memory, start, count);
        const floats = new Float32Array(memory, start, count);
        let at = 0;
        /** The bytes of the next operand. */
        const data = () => {
            const length = words[at++];
            const bytes = new Uint8Array(memory, start + at * 4, length);
            at += (length + 3) >> 2;
            return bytes;
        };
        const text = () => new TextDecoder().decode(data());
        while (at < count) {
            switch (words[at++]) {
            case 1: this.makeTexture(words[at], words[at + 1], words[at + 2], words[at + 3]); at += 4; break;
            case 2: gl.deleteTexture(this.textures[words[at]].texture); delete this.textures[words[at++]]; break;
            case 3: {
                const [number, x, y, width, height] = words.subarray(at, at += 5);
                const texture = this.textures[number];
                const bytes = data();
                const {components, type, Values} = formats[texture.format];
                gl.bindTexture(gl.TEXTURE_2D, texture.texture);
                gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, gl[components], gl[type],
                    new Values(memory, bytes.byteOffset, bytes.byteLength / Values.BYTES_PER_ELEMENT));
                break;
            }
            case 4: {
                const texture = this.textures[words[at++]];
                gl.bindTexture(gl.TEXTURE_2D, texture.texture);
                gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, this.pictures[words[at++]]);
                break;
            }
            case 5: this.targets[words[at]] = this.makeTarget(this.textures[words[at + 1]]); at += 2; break;
            case 6: {
                const old = this.targets[words[at]];
                if (this.shown === old) this.shown = null;
                gl.deleteFramebuffer(old.name);
                delete this.targets[words[at++]];
                break;
            }
            case 7: {
                const [from, to, x, y, width, height, dx, dy] = words.subarray(at, at += 8);
                gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.targets[from].name);
                gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.targets[to].name);
                gl.blitFramebuffer(x + dx, y + dy, x + dx + width, y + dy + height, x, y, x + width, y + height,
                    gl.COLOR_BUFFER_BIT, gl.NEAREST);
                break;
            }
            case 8: {
                const number = words[at++];
                this.programs[number] = this.makeProgram(text(), text(), text(), text().split(' '));
                break;
            }
            case 9: gl.deleteProgram(this.programs[words[at]].name); delete this.programs[words[at++]]; break;
            case 10: {
                const [to, number, blend, uniforms] = words.subarray(at, at += 4);
                const target = this.targets[to];
                const program = this.programs[number];
                gl.useProgram(program.name);
                let unit = 0;
                for (let left = uniforms; left > 0; left--) {
                    const [index, kind, length] = words.subarray(at, at += 3);
                    if (kind === 3) this.bindTexture(program.uniforms[index], this.textures[words[at]], unit++);
                    else this.setUniform(program.uniforms[index], kind, words, floats, at, length);
                    at += length;
                }
                gl.activeTexture(gl.TEXTURE0);
                const corners = data();
                gl.bufferData(gl.ARRAY_BUFFER, corners, gl.STREAM_DRAW);
                gl.bindFramebuffer(gl.FRAMEBUFFER, target.name);
                gl.viewport(0, 0, target.width, target.height);
                this.setBlend(blend);
                gl.drawArrays(gl.TRIANGLES, 0, corners.length / 8);
                break;
            }
            case 11: this.present(this.targets[words[at++]]); break;
            default: throw new DeviceError(`The module's command ${words[at - 1]} is not known.`);
            }
        }
    }

    /**
     * Sets a uniform of the program in use.
     * @param {WebGLUniformLocation | null} place
     * @param {number} kind 0 integers, 1 floats, 2 the floats of vectors
     * @param {Int32Array} words
     * @param {Float32Array} floats the same words
     * @param {number} at the first value
     * @param {number} length how many values there are
     */
    setUniform(place, kind, words, floats, at, length) {
        const gl = this.gl;
        const values = floats.subarray(at, at + length);
        if (kind === 0 && length === 1) gl.uniform1i(place, words[at]);
        else if (kind === 0) gl.uniform2i(place, words[at], words[at + 1]);
        else if (kind === 2 || length === 3) gl.uniform3fv(place, values);
        else if (length === 1) gl.uniform1fv(place, values);
        else if (length === 2) gl.uniform2fv(place, values);
        else gl.uniform4fv(place, values);
    }

    /**
     * @param {WebGLUniformLocation | null} place
     * @param {DeviceTexture} texture
     * @param {number} unit
     */
    bindTexture(place, texture, unit) {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, texture.texture);
        gl.uniform1i(place, unit);
    }

    /** @param {DeviceTexture} texture */
    makeTarget(texture) {
        const gl = this.gl;
        const name = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, name);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture.texture, 0);
        if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE && !gl.isContextLost())
            throw new DeviceError(`This device can't draw into ${formats[texture.format].sized}.`);
        return {name, width: texture.width, height: texture.height};
    }

    /**
     * @param {number} number
     * @param {number} format
     * @param {number} width
     * @param {number} height
     */
    makeTexture(number, format, width, height) {
        const gl = this.gl;
        const texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl[formats[format].sized], width, height);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        this.textures[number] = {texture, format, width, height};
    }

    /**
     * @param {string} label for errors
     * @param {string} vertex
     * @param {string} fragment
     * @param {string[]} names of uniforms
     */
    makeProgram(label, vertex, fragment, names) {
        const gl = this.gl;
        const program = gl.createProgram();
        for (const {stage, source} of [
            {stage: gl.VERTEX_SHADER, source: vertex}, {stage: gl.FRAGMENT_SHADER, source: fragment},
        ]) {
            const shader = gl.createShader(stage);
            gl.shaderSource(shader, source);
            gl.compileShader(shader);
            gl.attachShader(program, shader);
            gl.deleteShader(shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
            const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader)).join(' ');
            throw new DeviceError(`This device can't compile ${label}: ${gl.getProgramInfoLog(program)} ${logs}`);
        }
        return {name: program, uniforms: names.map((name) => gl.getUniformLocation(program, name))};
    }

    /** @param {number} mode 0 replace, 1 over, 2 erase, 3 add */
    setBlend(mode) {
        const gl = this.gl;
        if (mode === 0) return gl.disable(gl.BLEND);
        gl.enable(gl.BLEND);
        if (mode === 1) gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        else if (mode === 2) gl.blendFunc(gl.ZERO, gl.ONE_MINUS_SRC_ALPHA);
        else gl.blendFunc(gl.ONE, gl.ONE);
    }

    /**
     * The only place where a picture is turned over: its row 0 is the top row, WebGL's the bottom row.
     * @param {DeviceTarget} target
     */
    present(target) {
        const gl = this.gl;
        const {width, height} = target;
        if (this.canvas.width !== width) this.canvas.width = width;
        if (this.canvas.height !== height) this.canvas.height = height;
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, target.name);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
        gl.blitFramebuffer(0, 0, width, height, 0, height, width, 0, gl.COLOR_BUFFER_BIT, gl.NEAREST);
        this.shown = target;
    }

    /** The last frame: straight RGBA, the top row first. */
    pixels() {
        const gl = this.gl;
        if (!this.shown || gl.isContextLost()) throw new DeviceError('Nothing is drawn.');
        const {name, width, height} = this.shown;
        const data = new Uint8ClampedArray(width * height * 4);
        gl.bindFramebuffer(gl.FRAMEBUFFER, name);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(data.buffer));
        return {width, height, data};
    }
}
