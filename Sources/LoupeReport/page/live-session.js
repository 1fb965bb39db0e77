// The element <loupe-figure> of a page of sessions: a recording with its player and timeline, the same model in the reader's
// hand, and the recorder.

/** @typedef {{from: number, to: number, name: string, color: string}} LaneBar */
/** @typedef {{duration: number, lanes: {label: string, bars: LaneBar[]}[], marks: {t: number, text: string}[]}} Timeline */

/**
 * What each model is called, and what a hand does with it.
 * @type {Record<string, {name: string, short: string, hint: string}>}
 */
const models = {
    loupe: {
        name: 'The loupe in the hand', short: 'Loupe',
        hint: 'Two fingers apart open it. One holds it while others draw inside, drag its edge, or turn to undo. Mouse: Alt and drag are two fingers.',
    },
    tilt: {
        name: 'The tilting panner', short: 'Tilt',
        hint: 'Tilt the device, or move the mouse across. Drag to pan, pinch to zoom, tap for the whole photo.',
    },
    scroll: {
        name: 'The scroll view', short: 'Scroll',
        hint: 'Drag, and let go while moving. It comes to rest by itself.',
    },
    panorama: {name: 'The panorama', short: 'Panorama', hint: 'Flick sideways. Items snap, the title and the background lag behind.'},
    transition: {
        name: 'The zoom transition', short: 'Zoom',
        hint: 'Tap the first picture. Then pan, pinch, tap twice to zoom, tap once to go back. Mouse: Alt and drag are two fingers.',
    },
    keyframes: {name: 'Keyframes', short: 'Keyframes', hint: 'A scene whose numbers change over time.'},
};

/** A recording ends after ten minutes. */
const longestRecording = 600;
/** How far a mouse leans the device from one side of a figure to the other, in radians. */
const lean = 2;
/** Half the distance of the two fingers of a mouse when they come down, in pixels of the canvas. */
const fingerGap = 24;

/**
 * A new element of the page.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
function html(name, attributes, ...children) {
    return /** @type {HTMLElement} */ (element(name, attributes, ...children));
}

class LoupeSession extends LoupeFigure {
    /** The time of what is shown, in seconds. */
    time = 0;
    isPlaying = false;
    /**
     * The model in the hand; null while a recording is shown.
     * @type {Hand | null}
     */
    hand = null;
    isRecording = false;
    /** The reader's own recording: its trace, and every pointer event. */
    own = {trace: '', pointers: ''};
    /** Of what is played. */
    duration = 0;
    framesPerSecond = 60;
    frameCount = 1;
    hasTrace = false;
    /** @type {Timeline} */
    timeline = {duration: 0, lanes: [], marks: []};
    /** The browser's time of the last frame, in milliseconds; 0 before the first one. */
    last = 0;
    /** The browser's time since which nothing has happened in the hand. */
    quietSince = 0;
    /**
     * The second finger of a mouse: where it is, and where the mouse was.
     * @type {{x: number, y: number, from: [number, number]} | null}
     */
    pair = null;
    /**
     * Where the mouse leaned the device to, and when.
     * @type {{angle: number, time: number} | null}
     */
    leaning = null;
    isListeningToMotion = false;
    view = new SessionView(this);

    get content() { return data.figures[this.number]; }
    get number() { return this.id === 'loupe' ? 0 : Number(this.id.slice('loupe-'.length)) - 1; }
    /** @returns {LoupeState | null} */
    get loupe() { return null; }
    /** @type {string} */
    get model() { return this.content.session.model; }

    connectedCallback() {
        this.view.build();
        if (this.isStarted) return;
        super.connectedCallback();
        // A page of one session plays it, unless its reader wants pages to be still.
        this.ready.then(() => {
            const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
            if (data.figures.length === 1 && !isCalm && this.isUntouched) this.play();
        }, () => {});
    }

    // The player

    play() {
        if (!this.hasTrace && this.model !== 'keyframes') return;
        if (this.isRecording) this.stop();
        if (this.hand || this.time >= this.duration) this.seek(0);
        this.isPlaying = true;
        this.last = 0;
        this.ask();
        this.view.show();
    }

    pause() {
        this.isPlaying = false;
        this.view.show();
    }

    /**
     * Shows the recording at a time.
     * @param {number} time in seconds
     */
    seek(time) {
        if (this.isRecording) this.stop();
        this.hand = null;
        this.time = Math.min(Math.max(0, time), this.duration);
        this.module?.exports.session_seek(this.time);
        this.draw();
        this.view.show();
    }

    /**
     * What `replay --states` writes of a frame.
     * @param {number} frame
     */
    states(frame) { return this.module?.ask('session_states', frame); }

    /** Takes over what is played now. */
    load() {
        if (!this.module) return;
        const [duration, rate, count, hasTrace] = this.module.numbers('session_length', 4);
        [this.duration, this.framesPerSecond, this.frameCount, this.hasTrace] = [duration, rate, count, hasTrace === 1];
        this.timeline = this.module.ask('session_timeline');
        this.hand = null;
        this.seek(0);
        this.view.load();
    }

    // The recorder

    /** Begins a recording, at the first event of the hand. */
    record() {
        this.isPlaying = false;
        this.takeUp(true);
        this.isRecording = true;
        this.view.show();
    }

    /** Ends the recording, and plays it from now on. */
    stop() {
        const {hand, module} = this;
        this.isRecording = false;
        this.pair = null;
        if (!hand || !module) return;
        hand.lift(performance.now());
        if (!hand.lines.length) return this.seek(0);
        this.own = {trace: hand.lines.join('\n') + '\n', pointers: hand.pointerLines.join('\n') + '\n'};
        module.give(this.own.trace, 'session_play');
        this.load();
        const told = document.getElementById('told');
        if (told) told.textContent = `Recorded ${hand.lines.length} events in ${hand.time.toFixed(1)} seconds.`;
        this.dispatchEvent(new CustomEvent('sessionrecord', {detail: this.own.trace, bubbles: true}));
    }

    /** Plays what came with the page. */
    playGiven() {
        this.own = {trace: '', pointers: ''};
        this.module?.exports.session_play_given();
        this.load();
    }

    // The hand

    /**
     * @param {boolean} isKept
     * @returns {Hand | null}
     */
    takeUp(isKept = false) {
        if (!this.module || this.model === 'keyframes') return null;
        this.isPlaying = false;
        this.pair = null;
        this.leaning = null;
        this.time = 0;
        this.hand = new Hand(this.module, isKept, this.model === 'tilt');
        this.wake();
        this.draw();
        this.view.show();
        return this.hand;
    }

    /** Something happens in the hand. */
    wake() {
        this.quietSince = performance.now();
        this.ask();
    }

    /** Whether a movement without a touch may take over: nothing is played, and nobody looks at a part of it. */
    get isUntouched() { return !this.hand && !this.isPlaying && this.time === 0; }

    /**
     * Every event goes to the model.
     * @param {Module} module
     */
    listen(module) {
        this.load();
        this.addEventListener('pointerdown', (event) => {
            if (event.pointerType === 'mouse' && event.button !== 0) return;
            const hand = this.hand ?? this.takeUp();
            if (!hand) return;
            this.listenToMotion();
            this.setPointerCapture(event.pointerId);
            const [x, y] = this.place(event);
            if (event.pointerType === 'mouse' && event.altKey) {
                this.pair = {x: x - fingerGap, y, from: [x, y]};
                hand.touch('second', 0, x - fingerGap, y, event.timeStamp);
                hand.touch(event.pointerId, 0, x + fingerGap, y, event.timeStamp);
            } else {
                hand.touch(event.pointerId, 0, x, y, event.timeStamp);
            }
            hand.keep(event, (part) => this.place(part));
            this.wake();
        });
        this.addEventListener('pointermove', (event) => {
            if (!this.hand?.down.has(event.pointerId)) return this.hover(event);
            for (const part of coalesced(event)) this.move(part);
            this.hand.keep(event, (part) => this.place(part));
            this.wake();
        });
        for (const [type, phase] of /** @type {[string, number][]} */ ([['pointerup', 2], ['pointercancel', 3]])) {
            this.addEventListener(type, (raw) => {
                const event = /** @type {PointerEvent} */ (raw);
                const {hand} = this;
                if (!hand?.down.has(event.pointerId)) return;
                const [x, y] = this.place(event);
                const gap = this.pair ? fingerGap : 0;
                if (this.pair) hand.touch('second', phase, this.pair.x, this.pair.y, event.timeStamp);
                this.pair = null;
                hand.touch(event.pointerId, phase, x + gap, y, event.timeStamp);
                hand.keep(event, (part) => this.place(part));
                this.wake();
            });
        }
        this.addEventListener('dragstart', (event) => event.preventDefault());
        this.addEventListener('contextmenu', (event) => event.preventDefault());
        this.addEventListener('keydown', (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey) return;
            const frames = event.shiftKey ? 10 : 1;
            /** @type {Record<string, () => void>} */
            const actions = {
                ' ': () => this.isPlaying ? this.pause() : this.play(),
                ArrowLeft: () => this.go(-frames), ArrowRight: () => this.go(frames),
                Home: () => this.seek(0), End: () => this.seek(this.duration), Escape: () => this.seek(0),
            };
            const action = actions[event.key];
            if (!action) return;
            event.preventDefault();
            if (event.key !== ' ') this.isPlaying = false;
            action();
        });
        this.listenToMotion();
    }

    /**
     * Some frames on or back.
     * @param {number} count
     */
    go(count) {
        const frame = Math.round(this.time * this.framesPerSecond) + count;
        this.seek(Math.min(Math.max(0, frame), this.frameCount - 1) / this.framesPerSecond);
    }

    /**
     * A finger moves; with a mouse that stands for two, the other one goes the opposite way, and the same way with Shift.
     * @param {PointerEvent} event
     */
    move(event) {
        const [x, y] = this.place(event);
        if (this.pair) {
            const way = event.shiftKey ? 1 : -1;
            const {from: [fromX, fromY]} = this.pair;
            this.pair.x += way * (x - fromX);
            this.pair.y += way * (y - fromY);
            this.pair.from = [x, y];
            this.hand?.touch('second', event.altKey ? 1 : 2, this.pair.x, this.pair.y, event.timeStamp);
        }
        this.hand?.touch(event.pointerId, 1, x + (this.pair ? fingerGap : 0), y, event.timeStamp);
    }

    /**
     * The mouse leans the device that is not there.
     * @param {PointerEvent} event
     */
    hover(event) {
        if (this.model !== 'tilt' || event.pointerType !== 'mouse' || event.buttons) return;
        const hand = this.hand ?? (this.isUntouched ? this.takeUp() : null);
        if (!hand) return;
        const box = this.getBoundingClientRect();
        const angle = -lean * ((event.clientX - box.left) / box.width - 0.5);
        const before = this.leaning;
        if (before && event.timeStamp - before.time < 8) return;
        this.leaning = {angle, time: event.timeStamp};
        // As often as a gyroscope, also after the mouse has rested.
        const seconds = before ? Math.min((event.timeStamp - before.time) / 1000, 1 / 60) : 1;
        hand.turn([0, before ? (angle - before.angle) / seconds : 0, 0], event.timeStamp);
        this.wake();
    }

    /** The gyroscope. Some browsers ask the reader first, and only after a touch: then it is tried again at each. */
    async listenToMotion() {
        if (this.isListeningToMotion || this.model !== 'tilt' || !('DeviceMotionEvent' in window)) return;
        this.isListeningToMotion = true;
        const {requestPermission} = /** @type {{requestPermission?: () => Promise<string>}} */ (
            /** @type {unknown} */ (DeviceMotionEvent));
        if (requestPermission && await requestPermission.call(DeviceMotionEvent).catch(() => '') !== 'granted') {
            this.isListeningToMotion = false;
            return;
        }
        window.addEventListener('devicemotion', (event) => {
            const rotation = rotationOf(event);
            if (!rotation || document.hidden) return;
            const hand = this.hand ?? (this.isUntouched ? this.takeUp() : null);
            hand?.turn(rotation, event.timeStamp);
            if (hand) this.wake();
        });
    }

    // Frames

    draw() {
        this.isStale = true;
        this.ask();
    }

    ask() {
        if (this.asked) return;
        this.asked = requestAnimationFrame((now) => {
            this.asked = 0;
            this.advance(now);
            this.drawNow();
        });
    }

    /**
     * What time has brought.
     * @param {number} now of the browser, in milliseconds
     */
    advance(now) {
        if (this.hand) {
            if (this.hand.pass(now)) [this.isStale, this.quietSince] = [true, now];
            this.time = this.hand.time;
            if (this.isRecording && this.time > longestRecording) return this.stop();
            // A tap and a finger that has left wait for less than a second.
            if (this.hand.down.size || now - this.quietSince < 1500) this.ask();
            this.view.show();
        } else if (this.isPlaying) {
            // A page in the background gets no frames, and goes on where it was.
            const passed = this.last ? Math.min(now - this.last, 100) / 1000 : 0;
            this.last = now;
            this.time = Math.min(this.time + passed, this.duration);
            this.module?.exports.session_seek(this.time);
            this.isStale = true;
            if (this.time < this.duration) this.ask();
            else this.isPlaying = false;
            this.view.show();
        }
    }

    /**
     * What one sees of the input: where fingers are, and how the device is turned.
     * @returns {{fingers: [x: number, y: number, color: string, isGhost: number][], turn: number[]}}
     */
    get shownInput() {
        if (!this.module) return {fingers: [], turn: [0, 0]};
        if (!this.hand) {
            return {fingers: this.module.ask('session_touches'), turn: [...this.module.numbers('session_turn', 2)]};
        }
        const fingers = this.pair ? [...this.hand.down.values()] : [];
        return {fingers: fingers.map(({x, y}) => [x, y, '#56b4e9', 0]), turn: [0, 0]};
    }
}

/** What stands around a figure: its name, the player, the timeline and the recorder. */
class SessionView {
    /** @param {LoupeSession} figure */
    constructor(figure) {
        this.figure = figure;
        this.card = html('section', {class: 'card'});
        this.playButton = html('button', {type: 'button', class: 'play'});
        this.scrubber = /** @type {HTMLInputElement} */ (html('input', {type: 'range', min: '0', step: 'any', 'aria-label': 'Time'}));
        this.lanes = html('div', {class: 'lanes', 'aria-hidden': 'true'});
        this.player = html('div', {class: 'player'}, this.playButton, this.scrubber, this.lanes);
        this.decision = html('p', {class: 'decision'});
        this.timeText = html('span', {class: 'time'});
        this.recordButton = html('button', {type: 'button', class: 'record', 'aria-pressed': 'false'}, '● Record');
        this.saveButton = html('button', {type: 'button'}, 'Save');
        this.textButton = html('button', {type: 'button', 'aria-expanded': 'false'}, 'Text');
        this.givenButton = html('button', {type: 'button'}, 'Original');
        this.text = /** @type {HTMLTextAreaElement} */ (html('textarea', {readonly: '', hidden: '', 'aria-label': 'The trace', spellcheck: 'false'}));
        this.head = html('b', {});
        this.marks = html('div', {class: 'marks'});
        this.fingers = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        /** The decision that is shown, as text. */
        this.shown = '';
    }

    /** Puts the figure into its card. */
    build() {
        const {figure} = this;
        const {name, hint} = models[figure.model] ?? models.keyframes;
        if (figure.parentElement === this.card) return;
        const {width, height} = figure.content.canvas;
        this.card.style.flex = `${width} 1 0`;
        figure.replaceWith(this.card);
        this.card.append(html('h2', {}, name), html('p', {class: 'hint'}, hint), figure, this.player, this.decision,
            html('div', {class: 'tools'}, this.timeText, this.recordButton, this.saveButton, this.textButton, this.givenButton),
            this.text);
        filled(this.fingers, {class: 'fingers', viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true'}, []);
        figure.append(this.fingers);
        this.playButton.addEventListener('click', () => figure.isPlaying ? figure.pause() : figure.play());
        this.scrubber.addEventListener('input', () => {
            figure.isPlaying = false;
            figure.seek(Number(this.scrubber.value));
        });
        this.lanes.addEventListener('pointerdown', (event) => {
            const box = this.marks.getBoundingClientRect();
            if (event.clientX < box.left) return;
            figure.isPlaying = false;
            figure.seek((event.clientX - box.left) / box.width * figure.duration);
        });
        this.recordButton.addEventListener('click', () => figure.isRecording ? figure.stop() : figure.record());
        this.recordButton.hidden = !data.records || figure.model === 'keyframes';
        this.saveButton.addEventListener('click', () => {
            const {trace, pointers} = figure.own;
            download(new Blob([trace]), `${figure.model}.jsonl`);
            if (pointers.trim()) download(new Blob([pointers]), `${figure.model}-pointers.jsonl`);
        });
        this.textButton.addEventListener('click', () => {
            this.text.hidden = !this.text.hidden;
            this.textButton.setAttribute('aria-expanded', String(!this.text.hidden));
            if (!this.text.hidden) this.text.select();
        });
        this.givenButton.addEventListener('click', () => figure.playGiven());
    }

    /** Another recording is played. */
    load() {
        const {figure} = this;
        const {duration, lanes, marks} = figure.timeline;
        const part = (/** @type {number} */ time) => `${100 * Math.min(Math.max(time / Math.max(duration, 1e-9), 0), 1)}%`;
        this.scrubber.max = String(figure.duration);
        this.player.hidden = !figure.hasTrace && figure.model !== 'keyframes';
        this.marks = html('div', {class: 'marks'});
        for (const {t, text} of marks) {
            const mark = html('i', {title: text});
            mark.style.left = part(t);
            this.marks.append(mark);
        }
        this.marks.append(this.head);
        this.lanes.replaceChildren(...lanes.map(({label, bars}) => {
            const track = html('div', {class: 'track'});
            for (const {from, to, name, color} of bars) {
                const bar = html('div', {class: 'bar', title: name}, name);
                [bar.style.left, bar.style.right] = [part(from), `calc(100% - ${part(to)})`];
                bar.style.background = color;
                track.append(bar);
            }
            return html('div', {class: 'lane'}, html('span', {title: label}, label), track);
        }), this.marks);
        const isOwn = figure.own.trace !== '';
        for (const button of [this.saveButton, this.textButton, this.givenButton]) button.hidden = !isOwn;
        this.text.value = figure.own.trace;
        if (!isOwn) this.text.hidden = true;
        this.show();
    }

    /** The time has changed, or what the figure does. */
    show() {
        const {figure} = this;
        this.playButton.textContent = figure.isPlaying ? '❚❚ Pause' : '▶ Play';
        this.recordButton.textContent = figure.isRecording ? '■ Stop' : '● Record';
        this.recordButton.setAttribute('aria-pressed', String(figure.isRecording));
        const isPlayer = !figure.hand;
        if (isPlayer) {
            this.scrubber.value = String(figure.time);
            this.scrubber.setAttribute('aria-valuetext', `${figure.time.toFixed(2)} seconds`);
            this.head.style.left = `${100 * figure.time / Math.max(figure.duration, 1e-9)}%`;
        }
        this.head.hidden = !isPlayer;
        this.timeText.textContent = figure.isRecording ? `recording ${figure.time.toFixed(1)} s`
            : isPlayer ? `${figure.time.toFixed(2)} / ${figure.duration.toFixed(2)} s` : 'in your hand';
        this.showDecision();
        this.showInput();
    }

    /** The last decision before what is shown. */
    showDecision() {
        const {figure} = this;
        const mark = figure.hand ? figure.module?.ask('session_decision')
            : figure.timeline.marks.filter(({t}) => t <= figure.time).at(-1);
        const text = JSON.stringify(mark ?? null);
        if (text === this.shown) return;
        this.shown = text;
        this.decision.textContent = mark ? `${mark.t.toFixed(2)} s: ${mark.text}` : '';
    }

    /** Fingers as rings over the picture, and the picture turned as the device was. */
    showInput() {
        const {fingers, turn} = this.figure.shownInput;
        this.fingers.replaceChildren(...fingers.map(([x, y, color, isGhost]) => {
            const ring = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
            return filled(ring, {
                cx: String(x), cy: String(y), r: '20', fill: isGhost ? 'none' : color, 'fill-opacity': '0.35', stroke: color,
                'stroke-width': '2.5', ...(isGhost ? {'stroke-dasharray': '2 6'} : {}),
            }, []);
        }));
        const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
        const [x, y] = turn.map((angle) => Math.min(Math.max(angle, -0.6), 0.6));
        this.figure.canvas.style.transform = isCalm || (!x && !y) ? '' : `perspective(900px) rotateX(${-x}rad) rotateY(${y}rad)`;
    }
}

/** Where there is room for one figure only, buttons choose it. */
function chooseOne() {
    const figures = /** @type {LoupeSession[]} */ ([...document.querySelectorAll('loupe-figure')]);
    const names = document.getElementById('names');
    if (figures.length < 2 || !names) return;
    document.body.classList.add('several');
    names.hidden = false;
    const choose = (/** @type {number} */ chosen) => figures.forEach((figure, number) => {
        figure.view.card.classList.toggle('chosen', number === chosen);
        names.children[number].setAttribute('aria-pressed', String(number === chosen));
        if (number !== chosen && figure.isPlaying) figure.pause();
    });
    names.append(...figures.map((figure, number) => {
        const button = html('button', {type: 'button'}, (models[figure.model] ?? models.keyframes).short);
        button.addEventListener('click', () => choose(number));
        return button;
    }));
    choose(0);
}

customElements.define('loupe-figure', LoupeSession);
chooseOne();
