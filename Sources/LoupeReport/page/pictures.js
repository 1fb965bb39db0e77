// The pictures in the page. Most are stored as a change of another one (see `PagePictures`) and are composed here with
// operations that are exact for 8-bit channels. No pixel is read back, so browsers that blur what is read change nothing.

/** Composed pictures that others are made from, or that are shown next; the one used last comes last. */
const composed = new Map();
/** How many are kept: fewer once a large one has been seen. */
let keptPictures = 24;

/** A new image of a picture's own bytes, a PNG or a WebP, decoded. */
async function opened(number) {
    const image = element('img', {});
    // A picture that can't be decoded stays empty.
    try {
        const bytes = payload(`picture-${number}`);
        const type = bytes[0] === 0x52 ? 'webp' : 'png';
        image.src = `data:image/${type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
        await image.decode();
    } catch { /* It has no size. */ }
    return image;
}

/** The whole picture of a number, which nobody may change or show: an image or a canvas. */
function wholePicture(number) {
    const picture = composed.get(number) ?? compose(number);
    composed.delete(number);
    composed.set(number, picture);
    while (composed.size > keptPictures) composed.delete(composed.keys().next().value);
    return picture;
}

async function compose(number) {
    const change = data.changes[number];
    if (change === null) {
        const image = await opened(number);
        if (image.naturalWidth * image.naturalHeight > 4e6) keptPictures = 6;
        return image;
    }
    if (change.kind === 'same') return wholePicture(change.base);
    const [base, image] = await Promise.all([wholePicture(change.base), opened(number)]);
    const canvas = copied(base);
    const [x, y, width, height] = change.block;
    const context = canvas.getContext('2d');
    if (change.kind !== 'add') {
        if (change.kind === 'replace') context.clearRect(x, y, width, height);
        context.drawImage(image, x, y);
        return canvas;
    }
    // The upper half is added, which stops at 255; the lower half is at most as large as what is there, so the absolute
    // difference is the difference.
    context.globalCompositeOperation = 'lighter';
    context.drawImage(image, 0, 0, width, height, x, y, width, height);
    context.globalCompositeOperation = 'difference';
    context.drawImage(image, 0, height, width, height, x, y, width, height);
    return canvas;
}

/** A canvas with a copy of a picture. */
function copied(picture) {
    const canvas = document.createElement('canvas');
    canvas.width = (picture.naturalWidth ?? picture.width) || 1;
    canvas.height = (picture.naturalHeight ?? picture.height) || 1;
    const context = canvas.getContext('2d');
    context.imageSmoothingEnabled = false;
    if (picture.width > 0) context.drawImage(picture, 0, 0);
    return canvas;
}

/** An element of its own that shows a picture. */
async function shownPicture(number, label, kind = '') {
    const picture = await wholePicture(number);
    const shown = picture instanceof HTMLImageElement ? picture.cloneNode() : copied(picture);
    // The copy of a decoded image has to be decoded too before its size is known.
    if (shown instanceof HTMLImageElement) await shown.decode().catch(() => {});
    const name = shown instanceof HTMLImageElement ? {alt: label, draggable: 'false'} : {role: 'img', 'aria-label': label};
    return filled(shown, {...name, class: `picture ${kind}`.trim()}, []);
}

/** The pictures of a case by kind, each as a list of layers. */
async function picturesOf({pictures}) {
    const shown = {};
    const layer = async (kind, ...layers) => { shown[kind] = await Promise.all(layers); };
    const kinds = [];
    if ('reference' in pictures) kinds.push(layer('reference', shownPicture(pictures.reference, 'reference')));
    if ('actual' in pictures) kinds.push(layer('actual', shownPicture(pictures.actual, 'actual')));
    if ('marks' in pictures) {
        const faint = shownPicture(pictures.reference, 'reference, faint', 'faint');
        kinds.push(layer('difference', faint, shownPicture(pictures.marks, 'difference', 'marks')));
    }
    if ('difference' in pictures) kinds.push(layer('difference', shownPicture(pictures.difference, 'difference')));
    if ('errors' in pictures) kinds.push(layer('difference', shownPicture(pictures.errors, 'errors')));
    await Promise.all(kinds);
    return shown;
}

/** Composes what will probably be shown next. */
function prepare({pictures}) {
    for (const number of Object.values(pictures)) wholePicture(number);
}

// MARK: Thumbnails

/**
 * Draws the pictures of rows that come into view, one after the other, while nothing else is to be done; but not before
 * all pictures are read, which are the last in the page.
 */
const thumbnails = {
    waiting: new Set(),
    isBusy: false,

    observer: new IntersectionObserver((entries) => {
        for (const {target, isIntersecting} of entries) {
            if (isIntersecting) thumbnails.waiting.add(target);
            else thumbnails.waiting.delete(target);
        }
        thumbnails.work();
    }, {rootMargin: '100px'}),

    /** @param frame an element whose `dataset.picture` is a picture's number */
    watch(frame) {
        this.observer.observe(frame);
    },

    async work() {
        if (this.isBusy || document.readyState === 'loading') return;
        this.isBusy = true;
        for (const frame of this.waiting) {
            await new Promise((done) => setTimeout(done, 0));
            if (!this.waiting.delete(frame)) continue;
            this.observer.unobserve(frame);
            frame.replaceChildren(await thumbnail(Number(frame.dataset.picture)));
        }
        this.isBusy = false;
        if (this.waiting.size > 0) this.work();
    },
};

/** A small canvas of a picture, for screens of two device pixels a pixel. */
async function thumbnail(number) {
    const picture = await wholePicture(number);
    const [width, height] = [picture.naturalWidth ?? picture.width, picture.naturalHeight ?? picture.height];
    const scale = Math.min(160 / width, 120 / height, 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    if (width > 0) context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas;
}
