// What changed, as one picture to look at or to copy: the reference, and beside it the places that differ most, as they should be
// and as they are.

/** How many places are shown. */
const shownChanges = 4;

/** The widths of the whole reference and of a place, the space around them, the height of a line of text, and an outline. */
const changeSizes = {whole: 420, place: 260, gap: 14, line: 22, outline: 3};

/**
 * @param {{x: number, y: number, width: number, height: number, pixels: number}[]} areas
 * @param {HTMLImageElement} reference
 * @param {HTMLImageElement} actual
 */
function changes(areas, reference, actual) {
    const {place, gap, line} = changeSizes;
    let bottom = line + gap;
    const rows = areas.slice(0, shownChanges).map((area, index) => {
        const row = {...area, top: bottom, zoom: place / area.width, color: data.colors[index % data.colors.length]};
        bottom += row.height * row.zoom + line + gap;
        return row;
    });
    const others = areas.length - rows.length;
    if (others > 0) bottom += line;
    const {naturalWidth: width, naturalHeight: height} = reference;
    const scale = Math.min(changeSizes.whole / width, Math.max(bottom - line - 2 * gap, 240) / height);
    const left = width * scale + 2 * gap;
    const size = [left + 2 * (place + gap), Math.max(bottom, line + 2 * gap + height * scale)];
    const density = Math.max(2, Math.ceil(devicePixelRatio));
    const canvas = element('canvas', {role: 'img', 'aria-label': 'What changed: the reference, and beside it each place that '
        + 'differs, as it should be and as it is.'});
    [canvas.width, canvas.height] = size.map((side) => Math.round(side * density));
    canvas.style.width = `${Math.round(size[0])}px`;
    const context = canvas.getContext('2d');
    context.scale(density, density);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, ...size);
    context.font = '13px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.imageSmoothingQuality = 'high';
    drawWhole(context, reference, rows, scale);
    for (const [column, [title, image]] of [['Expected', reference], ['Actual', actual]].entries()) {
        const x = left + column * (place + gap);
        label(context, title, x, line / 2 + gap / 2);
        for (const row of rows) drawPlace(context, image, row, x, column);
    }
    const words = others === 1 ? 'and a smaller place' : `and ${others} smaller places`;
    if (others > 0) label(context, words, left, bottom - line / 2 - gap);
    return element('figure', {class: 'changes'}, element('figcaption', {class: 'caption'}, 'What changed'), canvas);
}

/** The whole reference with the outlines of the places. */
function drawWhole(context, reference, rows, scale) {
    const {gap, line, outline} = changeSizes;
    context.drawImage(reference, gap, line + gap, reference.naturalWidth * scale, reference.naturalHeight * scale);
    for (const [color, width] of [['#fffc', 2 * outline], [null, outline]]) {
        context.lineWidth = width;
        for (const row of rows) {
            context.strokeStyle = color ?? row.color;
            context.strokeRect(gap + row.x * scale, line + gap + row.y * scale, row.width * scale, row.height * scale);
        }
    }
    label(context, 'Reference', gap, line / 2 + gap / 2);
}

/** A place of a picture in its colour, and how many pixels differ in it. */
function drawPlace(context, image, row, left, column) {
    const {place, line, outline} = changeSizes;
    const height = row.height * row.zoom;
    context.imageSmoothingEnabled = row.zoom < 1;
    context.drawImage(image, row.x, row.y, row.width, row.height, left, row.top, place, height);
    context.imageSmoothingEnabled = true;
    context.strokeStyle = row.color;
    context.lineWidth = outline;
    context.strokeRect(left, row.top, place, height);
    if (column === 0) label(context, row.pixels === 1 ? '1 pixel differs' : `${row.pixels} pixels differ`, left, row.top + height + line / 2);
}

function label(context, text, x, y) {
    context.fillStyle = '#222';
    context.fillText(text, x, y);
}
