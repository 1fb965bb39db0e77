// The loupe of a report: the pixels around the pointer, large and with their numbers, in all panes at once.

class Lens {
    /** How many pixels it shows each way, and the size of each on the screen. */
    static count = 5;
    static cell = 38;
    static side = Lens.count * Lens.cell;

    /**
     * @param {Element[]} panes each with a picture or none
     * @param {Frame} frame where the pictures lie in them
     * @param {HTMLOutputElement} place for the column and row
     */
    constructor(panes, frame, place) {
        this.frame = frame;
        this.place = place;
        /** Is given the pixels that are shown, by the names of their panes. */
        this.tell = () => {};
        this.parts = panes.flatMap((pane) => {
            const image = pane.querySelector('.picture');
            if (!image) return [];
            const canvas = element('canvas', {class: 'lens', hidden: '', 'aria-hidden': 'true'});
            const density = Math.max(1, Math.round(devicePixelRatio));
            canvas.width = canvas.height = Lens.side * density;
            canvas.getContext('2d').scale(density, density);
            pane.append(canvas);
            pane.addEventListener('pointermove', (event) => this.follow(event, pane));
            for (const type of ['pointerdown', 'pointerleave', 'wheel']) {
                pane.addEventListener(type, () => this.hide(), {passive: true});
            }
            return [{kind: pane.dataset.pane, image, canvas}];
        });
        // A small copy of what is read, as browsers draw pictures scaled otherwise.
        this.reader = document.createElement('canvas');
        this.reader.width = this.reader.height = Lens.count;
        this.context = this.reader.getContext('2d', {willReadFrequently: true});
        // Browsers that hide what they run on read other pixels than they draw.
        this.context.fillStyle = '#123456';
        this.context.fillRect(0, 0, 1, 1);
        if (this.context.getImageData(0, 0, 1, 1).data[1] !== 0x34) this.parts = [];
    }

    hide() {
        for (const {canvas} of this.parts) canvas.hidden = true;
        this.place.value = '';
        this.tell({});
    }

    /** Shows the pixels under a mouse or a pen that presses nothing. */
    follow(event, pane) {
        if (!Lens.isOn || event.buttons !== 0 || event.pointerType === 'touch') return this.hide();
        const box = pane.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left - pane.clientLeft, event.clientY - box.top - pane.clientTop];
        const [column, row] = this.frame.pixel(x, y);
        const {left, top, right, bottom} = this.frame.extent;
        if (column < left || row < top || column >= right || row >= bottom) return this.hide();
        this.place.value = `${column},${row}`;
        const pixels = {};
        for (const {kind, image} of this.parts) pixels[kind] = this.pixels(image, column, row);
        this.tell(pixels);
        const {reference, actual} = pixels;
        for (const {kind, canvas} of this.parts) {
            canvas.hidden = false;
            canvas.style.left = `${Lens.within(x, pane.clientWidth)}px`;
            canvas.style.top = `${Lens.within(y, pane.clientHeight)}px`;
            // The numbers of the difference are by how much the actual picture is higher.
            const isDifference = kind === 'difference' && reference && actual;
            const numbers = isDifference ? Array.from(actual, (value, index) => value - reference[index]) : pixels[kind];
            this.draw(canvas.getContext('2d'), pixels[kind], numbers, isDifference ? 0 : 255);
        }
    }

    /** Where it begins, so that it lies around a point and inside its pane. */
    static within(center, size) {
        return Math.max(0, Math.min(center - Lens.side / 2, size - Lens.side));
    }

    /** Red, green, blue and alpha of the pixels around one. */
    pixels(image, column, row) {
        const {count} = Lens;
        const half = (count - 1) / 2;
        this.context.clearRect(0, 0, count, count);
        const [x, y] = this.frame.corner(image);
        this.context.drawImage(image, half - column + x, half - row + y);
        return this.context.getImageData(0, 0, count, count).data;
    }

    /** @param {number} usual the number of alpha that is not shown */
    draw(context, pixels, numbers, usual) {
        const {count, cell, side} = Lens;
        context.clearRect(0, 0, side, side);
        context.textAlign = 'center';
        context.font = '10px ui-monospace, monospace';
        for (let index = 0; index < count * count; index++) {
            const [x, y] = [index % count * cell, Math.floor(index / count) * cell];
            const [red, green, blue, alpha] = pixels.subarray(4 * index, 4 * index + 4);
            context.fillStyle = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
            context.fillRect(x, y, cell, cell);
            const isLight = (0.299 * red + 0.587 * green + 0.114 * blue) * alpha / 255 + 200 * (1 - alpha / 255) > 128;
            context.fillStyle = isLight ? '#000' : '#fff';
            const own = [...numbers.slice(4 * index, 4 * index + 4)];
            if (own[3] === usual) own.pop();
            const step = (cell - 3) / own.length;
            own.forEach((number, line) => context.fillText(String(number), x + cell / 2, y + step * (line + 1) - 1));
        }
        const middle = (count - 1) / 2 * cell;
        context.strokeStyle = '#d00';
        context.lineWidth = 2;
        context.strokeRect(middle + 1, middle + 1, cell - 2, cell - 2);
    }

    /** Whether the reader wants it; kept from case to case. */
    static isOn = true;
}
