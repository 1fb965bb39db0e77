// What part of the pictures is seen, and how large: one state for all panes, which keeps them in step.

class Frame {
    static scales = {least: 1 / 8, most: 64};

    constructor(panes) {
        this.panes = panes;
        this.images = panes.flatMap((pane) => [...pane.querySelectorAll('img')]);
        this.showAll();
    }

    /** Of the panes on the screen; they are of one size. */
    get size() {
        const pane = this.panes.find((pane) => pane.clientWidth > 0) ?? this.panes[0];
        return {width: pane.clientWidth, height: pane.clientHeight};
    }

    /** Of the largest picture, in its own pixels. */
    get extent() {
        return {
            width: Math.max(1, ...this.images.map((image) => image.naturalWidth)),
            height: Math.max(1, ...this.images.map((image) => image.naturalHeight)),
        };
    }

    /** The whole picture, at a whole scale where it is enlarged. */
    showAll() {
        const {width, height} = this.extent;
        const fitting = Math.min(this.size.width / width, this.size.height / height);
        this.scale = Frame.bounded(fitting >= 1 ? Math.floor(fitting) : fitting);
        this.center = {x: width / 2, y: height / 2};
        this.apply();
    }

    /** A block of the picture with some room around it. */
    showBlock(x, y, width, height) {
        const fitting = Math.min(this.size.width / (width + 8), this.size.height / (height + 8));
        this.scale = Frame.bounded(2 ** Math.floor(Math.log2(fitting)));
        this.center = {x: x + width / 2, y: y + height / 2};
        this.apply();
    }

    /** To the next power of two up or down; what is at `x`, `y` from the pane's middle stays there. */
    zoom(isLarger, x = 0, y = 0) {
        const steps = Math.log2(this.scale);
        const next = Frame.bounded(2 ** (isLarger ? Math.floor(steps + 1.001) : Math.ceil(steps - 1.001)));
        this.center.x += x / this.scale - x / next;
        this.center.y += y / this.scale - y / next;
        this.scale = next;
        this.apply();
    }

    /** By a way on the screen. */
    pan(x, y) {
        this.center.x -= x / this.scale;
        this.center.y -= y / this.scale;
        this.apply();
    }

    apply() {
        const {width, height} = this.extent;
        this.center.x = Math.min(Math.max(this.center.x, 0), width);
        this.center.y = Math.min(Math.max(this.center.y, 0), height);
        // Whole pixels of the screen, so that a picture's pixels are all of one size.
        const left = Math.round(this.size.width / 2 - this.center.x * this.scale);
        const top = Math.round(this.size.height / 2 - this.center.y * this.scale);
        for (const image of this.images) image.style.transform = `translate(${left}px, ${top}px) scale(${this.scale})`;
    }

    static bounded(scale) {
        return Math.min(Math.max(scale, Frame.scales.least), Frame.scales.most);
    }
}
