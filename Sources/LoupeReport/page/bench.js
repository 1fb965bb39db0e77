// The charts of the benchmark as SVG: the cost along each sweep, and the cost in each state. Times are in nanoseconds.

const milliseconds = (time) => (time / 1e6).toFixed(3);
const tenth = (number) => number.toFixed(1);

/** A new SVG element. */
function svg(name, attributes, ...children) {
    return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function text(x, y, content, attributes = {}) {
    return svg('text', {x: tenth(x), y: tenth(y), ...attributes}, content);
}

function line(x1, y1, x2, y2, attributes, ...children) {
    return svg('line', {x1: tenth(x1), x2: tenth(x2), y1: tenth(y1), y2: tenth(y2), ...attributes}, ...children);
}

function rect(x, y, width, height, attributes, ...children) {
    const numbers = {x: tenth(x), y: tenth(y), width: tenth(width), height: tenth(height)};
    return svg('rect', {...numbers, ...attributes}, ...children);
}

/** A heading and the chart below it. */
function chart(title, height, ...children) {
    return [element('h2', {}, title), svg('svg', {viewBox: `0 0 900 ${height}`, role: 'img', 'aria-label': title}, ...children)];
}

/** Cost against position along a sweep: a curve for each variant, on bands that show the state of the page's outline. */
function sweepChart({title, base, curves}) {
    const plot = {left: 60, top: 40, width: 820, height: 300};
    const [right, bottom] = [plot.left + plot.width, plot.top + plot.height];
    const points = curves.flatMap((curve) => curve.points);
    const steps = Math.max(2, ...points.map((point) => point.step + 1));
    const most = Math.max(...points.map((point) => point.median)) * 1.05;
    const x = (step) => plot.left + step / (steps - 1) * plot.width;
    const y = (time) => plot.top + (1 - time / most) * plot.height;

    function bands() {
        const states = curves[0].points;
        const ends = states.flatMap(({state}, index) => states[index + 1]?.state === state ? [] : [index]);
        return ends.flatMap((end, index) => {
            const start = index > 0 ? ends[index - 1] + 1 : 0;
            const left = Math.max(x(states[start].step - 0.5), plot.left);
            const width = Math.min(x(states[end].step + 0.5), right) - left;
            return [
                rect(left, plot.top, width, plot.height, {class: index % 2 === 0 ? 'zone-even' : 'zone-odd'}),
                text(left + width / 2, plot.top + 14, states[end].state, {'text-anchor': 'middle'}),
            ];
        });
    }

    function axes() {
        const ticks = [0, 1, 2, 3, 4].flatMap((tick) => {
            const time = most * tick / 4;
            return [
                line(plot.left, y(time), right, y(time), {class: 'axis'}),
                text(plot.left - 6, y(time) + 4, milliseconds(time), {'text-anchor': 'end'}),
            ];
        });
        return [
            ...ticks, text(8, plot.top - 10, 'milliseconds per loupe'), text(plot.left, bottom + 20, 'inside the page'),
            text(right, bottom + 20, 'outside the page', {'text-anchor': 'end'}),
        ];
    }

    function drawnCurve({variant, points}) {
        const corners = points.map((point) => `${tenth(x(point.step))},${tenth(y(point.median))}`);
        const marks = points.flatMap(({step, median, spread, hover}) => [
            line(x(step), y(median - spread), x(step), y(median + spread), {class: `spread ${variant}`}),
            svg('circle', {class: variant, cx: tenth(x(step)), cy: tenth(y(median)), r: '3'}, svg('title', {}, hover)),
        ]);
        return [svg('polyline', {class: `curve ${variant}`, points: corners.join(' ')}), ...marks];
    }

    const middle = base === undefined ? [] : [line(plot.left, y(base), right, y(base), {class: 'base'},
        svg('title', {}, `pieces in the middle of the page: ${milliseconds(base)} ms`))];
    const keys = curves.map(({variant}, index) => text(plot.left + 160 * index + 120, 20, variant, {class: `key ${variant}`}));
    return chart(title, bottom + 50, ...bands(), ...axes(), ...middle, ...curves.flatMap(drawnCurve), ...keys);
}

/** The cost in each state as bars, one for each variant. */
function gridChart({title, bars}) {
    const [left, width, height] = [180, 600, 16];
    const most = Math.max(...bars.map((bar) => bar.median));
    let top = 4;
    const drawn = bars.flatMap(({state, variant, median, hover}, index) => {
        if (index > 0) top += height + (bars[index - 1].state === state ? 2 : 10);
        const length = median / most * width;
        return [
            text(left - 8, top + 12, `${state} ${variant}`, {'text-anchor': 'end'}),
            rect(left, top, length, height, {class: variant}, svg('title', {}, hover)),
            text(left + length + 6, top + 12, `${milliseconds(median)} ms`),
        ];
    });
    return chart(title, top + height + 10, ...drawn);
}

document.title = data.title;
document.querySelector('h1').textContent = data.title;
document.getElementById('charts').append(...data.sweeps.flatMap(sweepChart), ...data.grids.flatMap(gridChart));
document.getElementById('numbers').textContent = data.numbers;
