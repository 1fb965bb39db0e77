// The reader's hand on a model of motion: pointers and the gyroscope become events of a trace, with their own times.

/**
 * An event before it has reached the model; its time is in milliseconds of the page's clock.
 * @typedef {{time: number, touch?: [id: number, phase: number, x: number, y: number], rotation?: [number, number, number]}} HandEvent
 */
/** @typedef {{id: number, x: number, y: number, time: number}} Finger */

const phaseNames = ['began', 'moved', 'ended', 'cancelled'];
/** As many fingers as a trace may have at a time. */
const mostFingers = 10;

/**
 * The events of one hand, from its first one on.
 *
 * Events are kept until the next frame and sorted by their times, as a browser reports several movements of one finger
 * before those of the next. An event that is reported late, when a frame at its time was shown already, gets the time of that
 * frame. So what the page showed is what the trace shows.
 */
class Hand {
    /**
     * @param {Module} module
     * @param {boolean} isKept whether its events are kept
     * @param {boolean} isTilting whether the model follows the gyroscope; then its trace has at least one sample
     */
    constructor(module, isKept, isTilting) {
        this.module = module;
        this.isTilting = isTilting;
        this.isKept = isKept;
        /** @type {HandEvent[]} */
        this.waiting = [];
        /**
         * The fingers that are down, by their pointers.
         * @type {Map<number | string, Finger>}
         */
        this.down = new Map();
        /** The page's clock at the model's time 0, in milliseconds. */
        this.start = NaN;
        /** The time of the last event or frame, in seconds. */
        this.time = 0;
        /**
         * The trace, a line an event.
         * @type {string[]}
         */
        this.lines = [];
        /**
         * Every pointer event as the browser reported it, with the movements that it predicted: its time and its line.
         * @type {{time: number, line: string}[]}
         */
        this.pointers = [];
        module.exports.session_take_up();
    }

    /** @param {HandEvent} event */
    add(event) {
        if (Number.isNaN(this.start)) {
            this.start = event.time;
            if (this.isTilting) this.waiting.push({time: event.time, rotation: [0, 0, 0]});
        }
        this.waiting.push(event);
    }

    /**
     * A finger comes down, moves or is lifted.
     * @param {number | string} pointer
     * @param {number} phase
     * @param {number} x
     * @param {number} y
     * @param {number} time
     * @returns whether it counts
     */
    touch(pointer, phase, x, y, time) {
        let finger = this.down.get(pointer);
        if (phase === 0) {
            if (finger || this.down.size === mostFingers) return false;
            let id = 0;
            while ([...this.down.values()].some((other) => other.id === id)) id++;
            finger = {id, x, y, time};
            this.down.set(pointer, finger);
        }
        if (!finger) return false;
        // A browser that takes a finger away says no place.
        if (phase !== 3) [finger.x, finger.y] = [x, y];
        finger.time = Math.max(finger.time, time);
        this.add({time: finger.time, touch: [finger.id, phase, finger.x, finger.y]});
        if (phase >= 2) this.down.delete(pointer);
        return true;
    }

    /**
     * @param {[number, number, number]} rotation in radians a second
     * @param {number} time
     */
    turn(rotation, time) { this.add({time, rotation}); }

    /**
     * Keeps a pointer event as it was reported, in pixels of the canvas.
     * @param {PointerEvent} event
     * @param {(event: PointerEvent) => [number, number]} place
     */
    keep(event, place) {
        if (!this.isKept) return;
        const isMove = event.type === 'pointermove';
        const parts = isMove ? coalesced(event) : [event];
        const predicted = (isMove ? event.getPredictedEvents?.() ?? [] : []).map((part) => {
            const [clientX, clientY] = place(part);
            return {clientX, clientY, timeStamp: part.timeStamp};
        });
        parts.forEach((part, index) => {
            const {pointerId, pointerType, timeStamp, pressure} = part;
            const [clientX, clientY] = place(part);
            const kept = {type: event.type, pointerId, pointerType, clientX, clientY, timeStamp, pressure};
            const line = JSON.stringify(index === parts.length - 1 && predicted.length ? {...kept, predicted} : kept);
            this.pointers.push({time: timeStamp, line});
        });
    }

    /** The lines of all pointer events, in the order of their times. Browsers report each finger's movements together. */
    get pointerLines() { return [...this.pointers].sort((a, b) => a.time - b.time).map(({line}) => line); }

    /**
     * Gives the model what has happened, and shows it at a time of the page's clock.
     * @param {number} now in milliseconds
     * @returns whether anything looks different
     */
    pass(now) {
        const {exports} = this.module;
        this.waiting.sort((a, b) => a.time - b.time);
        for (const {time, touch, rotation} of this.waiting) {
            const t = this.time = Math.max(this.time, (time - this.start) / 1000);
            if (touch) {
                const [id, phase, x, y] = touch;
                exports.session_touch(id, phase, x, y, t);
                if (this.isKept) this.lines.push(JSON.stringify({t, touch: id, phase: phaseNames[phase], at: [x, y]}));
            } else if (rotation) {
                exports.session_rotation(...rotation, t);
                if (this.isKept) this.lines.push(JSON.stringify({t, rotation}));
            }
        }
        this.waiting.length = 0;
        if (!Number.isNaN(this.start)) this.time = Math.max(this.time, (now - this.start) / 1000);
        return exports.session_pass(this.time) === 1;
    }

    /**
     * Lifts the fingers that are still down.
     * @param {number} now
     */
    lift(now) {
        for (const [pointer, {x, y}] of [...this.down]) this.touch(pointer, 2, x, y, now);
        this.pass(now);
    }
}

/**
 * All movements that an event stands for.
 * @param {PointerEvent} event
 */
function coalesced(event) {
    const parts = event.getCoalescedEvents?.() ?? [];
    return parts.length ? parts : [event];
}

/**
 * A device's rotation in radians a second, about the axes of the screen as it is held.
 * @param {DeviceMotionEvent} event
 * @returns {[number, number, number] | null}
 */
function rotationOf(event) {
    const {alpha, beta, gamma} = event.rotationRate ?? {};
    if (typeof alpha !== 'number' || typeof beta !== 'number' || typeof gamma !== 'number') return null;
    const [x, y, z] = [alpha, beta, gamma].map((degrees) => degrees * Math.PI / 180);
    const turned = (screen.orientation?.angle ?? 0) * Math.PI / 180;
    const [sine, cosine] = [Math.round(Math.sin(turned)), Math.round(Math.cos(turned))];
    return [x * cosine - y * sine, x * sine + y * cosine, z];
}
