"""Traces replayed in a browser with Input.dispatchTouchEvent, and a performance trace read. See tools/browser/touches."""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from devtools import Browser

PAGE = '''<!doctype html><style>body { margin: 0; height: 100vh; touch-action: none }</style><body><script>
window.seen = [];
for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'])
    addEventListener(type, (event) => {
        const parts = type === 'pointermove' ? event.getCoalescedEvents() : [event];
        for (const {pointerId, clientX, clientY, timeStamp, pressure} of parts)
            seen.push({type, pointerId, clientX, clientY, timeStamp, pressure});
    });
</script>'''

# A browser rounds times to a tenth of a millisecond.
CLOCK = 0.00011

# Two fingers that the system takes away while they pinch.
CANCELLED = [
    (0.1, 1, 'began', 100, 100), (0.12, 2, 'began', 200.25, 150.5), (0.14, 1, 'moved', 90.5, 100),
    (0.141, 2, 'moved', 210.75, 151), (0.16, 1, 'cancelled', 90.5, 100), (0.16, 2, 'cancelled', 210.75, 151),
    (0.3, 1, 'began', 50, 60), (0.35, 1, 'ended', 50, 60),
]


def single(number):
    """The number as a 32-bit float, which is what a browser keeps."""
    return struct.unpack('f', struct.pack('f', number))[0]


def convert(program, source, output, to, *more):
    run = subprocess.run([program, 'trace', 'convert', source, '-o', output, '--to', to, *more], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stderr


def strokes(events):
    """The events of each touch, from its beginning to its end, in the order in which the touches begin. Positions of
    cancelled touches, which a browser reports as 0, and moves that change nothing are left out."""
    found, down = [], {}
    for event in events:
        phase, (x, y) = event['phase'], event['at']
        place = None if phase == 'cancelled' else (single(x), single(y))
        if phase == 'began':
            down[event['touch']] = []
            found.append(down[event['touch']])
        stroke = down[event['touch']]
        if phase != 'moved' or stroke[-1][1] != place:
            stroke.append((phase, place, event['t']))
    return found


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def replay(browser, program, trace, folder):
    calls = folder / 'calls.json'
    notes = convert(program, trace, calls, 'dispatch')
    assert not notes, notes
    browser.value('seen.length = 0')
    start = time.time()
    for call in json.loads(calls.read_text()):
        parameters = call['params']
        parameters['timestamp'] += start
        browser.call(call['method'], **parameters)
    wanted = strokes(lines(trace))
    count = sum(len(stroke) for stroke in wanted)
    browser.until(f'seen.length >= {count}')
    events = folder / 'events.jsonl'
    events.write_text(''.join(json.dumps(event) + '\n' for event in browser.value('seen')))
    back = folder / 'back.jsonl'
    first = lines(trace)[0]['t']
    convert(program, events, back, 'trace', '--from', 'w3c', '--start', str(first))
    got = strokes(lines(back))
    assert len(got) == len(wanted), f'{trace}: {len(got)} touches in place of {len(wanted)}'
    for number, (there, here) in enumerate(zip(got, wanted)):
        assert [part[:2] for part in there] == [part[:2] for part in here], f'{trace}: touch {number}: {there}, {here}'
        late = max(abs(a[2] - b[2]) for a, b in zip(there, here))
        assert late <= CLOCK, f'{trace}: touch {number}: a time differs by {late} s'
    print(f'{trace.name}: {len(wanted)} touches, {count} events')


def record(browser, program, folder):
    """A performance trace of the mouse has the pointer events that the page saw."""
    browser.value('seen.length = 0')
    browser.events.clear()
    categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.inputs']
    browser.call('Tracing.start', transferMode='ReportEvents', traceConfig={'includedCategories': categories})
    browser.drag(100, 100, 150, 130)
    browser.drag(300, 200, 200, 250)
    browser.until("seen.filter(({type}) => type === 'pointerup').length === 2")
    browser.call('Tracing.end')
    while not any(event['method'] == 'Tracing.tracingComplete' for event in browser.events):
        browser.events.append(json.loads(browser.socket.receive()))
    found = [part for event in browser.events if event['method'] == 'Tracing.dataCollected' for part in event['params']['value']]
    trace = folder / 'performance.json'
    trace.write_text('{"traceEvents": [\n' + ',\n'.join(json.dumps(event) for event in found) + '\n]}\n')
    events = folder / 'events.jsonl'
    events.write_text(''.join(json.dumps(event) + '\n' for event in browser.value('seen')))
    results = []
    for source in (trace, events):
        convert(program, source, folder / 'back.jsonl', 'trace', '--start', '0')
        results.append(strokes(lines(folder / 'back.jsonl')))
    (there, here) = results
    assert len(there) == len(here) == 2, f'{len(there)} and {len(here)} drags'
    for a, b in zip(there, here):
        assert [part[:2] for part in a] == [part[:2] for part in b], f'{a}, {b}'
        late = max(abs(x[2] - y[2]) for x, y in zip(a, b))
        assert late <= 2 * CLOCK, f'a time differs by {late} s'
    print(f'performance trace: {len(there)} drags, {sum(map(len, there))} events')


def main():
    program, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / 'page.html').write_text(PAGE)
        cancelled = folder / 'cancelled.jsonl'
        cancelled.write_text(''.join(
            json.dumps({'t': t, 'touch': touch, 'phase': phase, 'at': [x, y]}) + '\n' for t, touch, phase, x, y in CANCELLED))
        traces = [pathlib.Path(name) for name in names] or [*sorted(pathlib.Path('examples/gestures').glob('*.jsonl')), cancelled]
        browser = Browser(shutil.which('chromium'), 1100, 1000)
        try:
            browser.call('Emulation.setTouchEmulationEnabled', enabled=True, maxTouchPoints=10)
            browser.open((folder / 'page.html').as_uri())
            # The first frame, before which touches hit nothing.
            browser.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
            for trace in traces:
                replay(browser, program, trace, folder)
            record(browser, program, folder)
        finally:
            browser.close()


main()
