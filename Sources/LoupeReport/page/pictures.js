// The pictures in the page: PNGs, each stored once.

/** Decoded pictures by their numbers; the one used last comes last. */
const decodedPictures = new Map();
/** How many are kept: fewer once a large one has been seen. */
let keptPictures = 24;

/** The picture of a number as an image that nobody may change or show. One that can't be decoded has no size. */
function picture(number) {
    const image = decodedPictures.get(number) ?? decode(number);
    decodedPictures.delete(number);
    decodedPictures.set(number, image);
    while (decodedPictures.size > keptPictures) decodedPictures.delete(decodedPictures.keys().next().value);
    return image;
}

async function decode(number) {
    const image = element('img', {});
    const text = document.getElementById(`payload-picture-${number}`)?.textContent ?? '';
    image.src = `data:image/png;base64,${text}`;
    await image.decode().catch(() => {});
    if (image.naturalWidth * image.naturalHeight > 4e6) keptPictures = 6;
    return image;
}

/** An element of its own that shows a picture. */
async function shownPicture(number, label) {
    const image = (await picture(number)).cloneNode();
    // The copy of a decoded image has to be decoded too before its size is known.
    await image.decode().catch(() => {});
    return filled(image, {alt: label, draggable: 'false', class: 'picture'}, []);
}

/** The pictures of a case by the panes that show them. */
async function picturesOf({pictures}) {
    const kinds = Object.entries(pictures);
    const shown = await Promise.all(kinds.map(([kind, number]) => shownPicture(number, kind)));
    return Object.fromEntries(kinds.map(([kind], index) => [kind === 'errors' ? 'difference' : kind, shown[index]]));
}

/** Decodes what will probably be shown next. */
function prepare({pictures}) {
    for (const number of Object.values(pictures)) picture(number);
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
    const image = await picture(number);
    const [width, height] = [image.naturalWidth, image.naturalHeight];
    const scale = Math.min(160 / width, 120 / height, 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    if (width > 0) context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
}
