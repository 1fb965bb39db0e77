// The charts of the benchmark as SVG: the cost along each sweep, and the cost in each state. Times are in nanoseconds.
// Charts are drawn for the width they have, so text has its size on every screen; all colours are attributes.

/** Okabe and Ito's colours, which colour-blind readers can distinguish. */
const colors = {pieces: '#0072b2', 'whole-disc': '#d55e00', general: '#009e73'};
const colorOf = (variant) => colors[variant] ?? '#cc79a7';
const explained = {
    pieces: 'pieces: each pixel by the cheapest shader that is exact there',
    'whole-disc': 'whole-disc: the whole loupe by the shader of its state',
    general: 'general: the whole loupe by the corner shader',
};
const keyOf = (variant) => explained[variant] ?? `${variant}: with your shaders`;
const milliseconds = (time) => (time / 1e6).toFixed(3);
const tenth = (number) => number.toFixed(1);

/** A new SVG element. */
function svg(name, attributes, ...children) {
    return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function text(x, y, content, attributes = {}) {
    return svg('text', {x: tenth(x), y: tenth(y), fill: '#222222', class: 'ink', ...attributes}, content);
}

function line(x1, y1, x2, y2, attributes, ...children) {
    return svg('line', {x1: tenth(x1), x2: tenth(x2), y1: tenth(y1), y2: tenth(y2), ...attributes}, ...children);
}

function rect(x, y, width, height, attributes, ...children) {
    const numbers = {x: tenth(x), y: tenth(y), width: tenth(width), height: tenth(height)};
    return svg('rect', {...numbers, ...attributes}, ...children);
}

/** The width of a text of the charts, rounded up. */
const textWidth = (content, size = 12) => content.length * size * 0.62;

/** Round numbers from 0 to the first one that is not below `most`: multiples of 1, 2 or 5 times a power of ten. */
function roundTicks(most, count) {
    const least = Math.max(most, 1) / count;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9));
    const last = Math.ceil(most / step - 1e-9);
    return Array.from({length: last + 1}, (_, index) => index * step);
}

/** A tick in milliseconds, with as many decimals as the step needs. */
function tickLabel(time, ticks) {
    const decimals = Math.max(0, -Math.floor(Math.log10(ticks[1] / 1e6) + 1e-9));
    return (time / 1e6).toFixed(decimals);
}

/** A heading, what its signs mean, and the chart, which is drawn anew when its width changes. */
function chart(title, keys, draw) {
    const place = element('div', {class: 'chart'});
    let shown = 0;
    new ResizeObserver(() => {
        const width = Math.floor(place.clientWidth);
        if (width === shown || width === 0) return;
        shown = width;
        const [height, ...children] = draw(width);
        const size = {width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': 'DejaVu Sans, Verdana, sans-serif'};
        place.replaceChildren(svg('svg', {...size, 'font-size': '12', role: 'img', 'aria-label': title}, ...children));
    }).observe(place);
    const list = element('ul', {class: 'key'}, ...keys.map(([sign, words]) => element('li', {},
        svg('svg', {width: '22', height: '14', viewBox: '0 0 22 14'}, sign), words)));
    return [element('h2', {}, title), list, place];
}

const spread = (variant) => ({stroke: colorOf(variant), class: variant, 'stroke-opacity': '0.55'});

/** Cost against position along a sweep: a curve for each variant, on bands that show the state of the page's outline. */
function sweepChart({title, base, curves}) {
    const points = curves.flatMap((curve) => curve.points);
    const steps = Math.max(2, ...points.map((point) => point.step + 1));
    const most = Math.max(...points.map((point) => point.median + point.spread), base ?? 0);
    const keys = curves.map(({variant}) => [
        svg('g', {}, line(0, 7, 22, 7, {stroke: colorOf(variant), 'stroke-width': '2', class: variant}),
            svg('circle', {cx: '11', cy: '7', r: '3', fill: colorOf(variant), class: `filled ${variant}`})),
        keyOf(variant),
    ]);
    keys.push([line(11, 1, 11, 13, {...spread(curves[0].variant), 'stroke-opacity': '1', 'stroke-width': '2'}), 'median absolute deviation']);
    if (base !== undefined) {
        keys.push([line(0, 7, 22, 7, {stroke: '#222222', 'stroke-dasharray': '4 4', class: 'base'}),
            `pieces in the middle of the page, ${milliseconds(base)} ms`]);
    }
    // The edge shows a sample whose colour is close to the page's.
    keys.push([rect(0.5, 1.5, 21, 11, {fill: '#eef0f3', stroke: '#8a9099', class: 'zone axis'}), 'state of the page’s outline in the loupe']);

    return chart(title, keys, (width) => {
        const ticks = roundTicks(most, 6);
        const left = Math.max(...ticks.map((tick) => textWidth(tickLabel(tick, ticks)))) + 14;
        const plot = {left, top: 46, width: width - left - 8, height: Math.min(320, Math.max(220, width * 0.4))};
        const [right, bottom] = [plot.left + plot.width, plot.top + plot.height];
        const top = ticks[ticks.length - 1];
        const x = (step) => plot.left + step / (steps - 1) * plot.width;
        const y = (time) => plot.top + (1 - time / top) * plot.height;

        const states = curves[0].points;
        const ends = states.flatMap(({state}, index) => states[index + 1]?.state === state ? [] : [index]);
        // A name that has no room beside the one before stands a line higher.
        let free = -Infinity;
        const bands = ends.flatMap((end, index) => {
            const start = index > 0 ? ends[index - 1] + 1 : 0;
            const from = Math.max(x(states[start].step - 0.5), plot.left);
            const to = Math.min(x(states[end].step + 0.5), right);
            const half = textWidth(states[end].state) / 2;
            const middle = Math.min(Math.max((from + to) / 2, plot.left + half), right - half);
            const isHigher = middle - half < free;
            free = middle + half + 6;
            return [
                rect(from, plot.top, to - from, plot.height, index % 2 === 0 ? {fill: '#eef0f3', class: 'zone'} : {fill: 'none'}),
                text(middle, plot.top - (isHigher ? 20 : 6), states[end].state, {'text-anchor': 'middle', fill: '#5c6066', class: 'faint'}),
            ];
        });
        const axes = ticks.flatMap((tick) => [
            line(plot.left, y(tick), right, y(tick), tick === 0 ? {stroke: '#8a9099', class: 'axis'} : {stroke: '#d9dce0', class: 'grid'}),
            text(plot.left - 6, y(tick) + 4, tickLabel(tick, ticks), {'text-anchor': 'end'}),
        ]);
        const words = [
            text(0, 12, 'milliseconds per loupe', {fill: '#5c6066', class: 'faint'}),
            text(plot.left, bottom + 18, 'inside the page'),
            text(right, bottom + 18, 'outside the page', {'text-anchor': 'end'}),
        ];
        const middle = base === undefined ? [] : [line(plot.left, y(base), right, y(base),
            {stroke: '#222222', 'stroke-dasharray': '4 4', class: 'base'},
            svg('title', {}, `pieces in the middle of the page: ${milliseconds(base)} ms`))];
        return [bottom + 28, ...bands, ...axes, ...middle, ...curves.flatMap(({variant, points}) => {
            const corners = points.map((point) => `${tenth(x(point.step))},${tenth(y(point.median))}`);
            const look = {stroke: colorOf(variant), class: variant};
            const marks = points.flatMap(({step, median, spread: deviation, hover}) => [
                line(x(step), y(median - deviation), x(step), y(median + deviation), spread(variant)),
                svg('circle', {class: `filled ${variant}`, fill: colorOf(variant), cx: tenth(x(step)), cy: tenth(y(median)), r: '3'},
                    svg('title', {}, hover)),
            ]);
            return [svg('polyline', {...look, fill: 'none', 'stroke-width': '2', points: corners.join(' ')}), ...marks];
        }), ...words];
    });
}

/** For text that may lie over a grid line: the line is interrupted. */
const halo = {class: 'ink halo', stroke: '#ffffff', 'stroke-width': '4', 'paint-order': 'stroke'};

/** The cost in each state as bars, one for each variant. */
function gridChart({title, bars}) {
    const most = Math.max(...bars.map((bar) => bar.median));
    const variants = [...new Set(bars.map(({variant}) => variant))];
    const keys = variants.map((variant) => [
        rect(0, 1, 22, 12, {fill: colorOf(variant), class: `filled ${variant}`}), keyOf(variant),
    ]);
    return chart(title, keys, (width) => {
        const ticks = roundTicks(most, Math.max(3, Math.min(8, Math.floor(width / 110))));
        const label = Math.max(...bars.map(({state}) => textWidth(state)));
        // On phones a state's name stands above its bars.
        const isNarrow = width < 560;
        const left = isNarrow ? 2 : label + 12;
        const right = width - textWidth(tickLabel(ticks[ticks.length - 1], ticks)) / 2 - 2;
        const x = (time) => left + time / ticks[ticks.length - 1] * (right - left);
        const height = 18;
        let top = 8;
        const drawn = bars.flatMap(({state, variant, median, hover}, index) => {
            const isFirst = index === 0 || bars[index - 1].state !== state;
            if (index > 0) top += height + (isFirst ? 12 : 2);
            const words = [];
            if (isFirst && isNarrow) top += 16;
            if (isFirst) words.push(isNarrow ? text(left + 6, top - 4, state) : text(left - 10, top + 13, state, {'text-anchor': 'end'}));
            const value = `${milliseconds(median)} ms`;
            // The value stands in the bar where there is no room beside it.
            const isInside = x(median) + 6 + textWidth(value) > width;
            return [
                ...words,
                rect(left, top, x(median) - left, height, {fill: colorOf(variant), class: `bar filled ${variant}`}, svg('title', {}, hover)),
                isInside ? text(x(median) - 6, top + 13, value, {'text-anchor': 'end', fill: '#ffffff', class: 'value'})
                    : text(x(median) + 6, top + 13, value, halo),
            ];
        });
        const bottom = top + height + 8;
        const axes = ticks.flatMap((tick) => [
            line(x(tick), 0, x(tick), bottom, tick === 0 ? {stroke: '#8a9099', class: 'axis'} : {stroke: '#d9dce0', class: 'grid'}),
            text(x(tick), bottom + 14, tickLabel(tick, ticks),
                {'text-anchor': x(tick) < 12 ? 'start' : 'middle', fill: '#5c6066', class: 'faint'}),
        ]);
        return [bottom + 38, ...axes, ...drawn,
            text(left, bottom + 32, 'milliseconds per loupe', {fill: '#5c6066', class: 'faint'})];
    });
}

/** A text that may go on in another line after each `/` or comma, so that long names break between their parts. */
function broken(text) {
    const parts = text === '' ? [] : text.split(/(?<=[/,])/);
    return parts.flatMap((part, index) => index === 0 ? [part] : [element('wbr', {}), part]);
}

function table({title, note, headings, numeric, rows}) {
    const kind = (column) => numeric[column] ? {class: 'number'} : {};
    const head = element('tr', {}, ...headings.map((name, column) => element('th', {scope: 'col', ...kind(column)}, name)));
    const body = rows.map((row) => element('tr', {}, ...row.map((cell, column) =>
        element('td', {'data-column': headings[column], ...kind(column)}, ...broken(cell)))));
    return [element('h2', {}, title), element('table', headings.length > 3 ? {class: 'wide'} : {}, element('thead', {}, head), element('tbody', {}, ...body)),
        ...(note === '' ? [] : [element('p', {class: 'note'}, note)])];
}

document.title = data.title;
document.querySelector('h1').textContent = data.title;
document.getElementById('facts').append(...data.facts.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value))));
document.getElementById('remarks').append(...data.remarks.map((remark) => element('li', {}, remark)));
document.getElementById('charts').append(...data.sweeps.flatMap(sweepChart), ...data.grids.flatMap(gridChart));
document.getElementById('tables').append(...data.tables.flatMap(table));
