"""Live sessions: what the player shows against `replay`, the hand and the recorder against the trace that is saved, and
decisions in WebAssembly against the command's. See tools/browser/live."""
import contextlib
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from devtools import Browser
from live_test import FIGURE, Pages, shown, write_png

MOTION = [f'examples/motion/{name}.json' for name in ('tilt', 'scroll', 'panorama', 'transition', 'keyframes')]
GESTURES = [f'examples/gestures/{name}.json' for name in ('in-hand', 'off-screen', 'ambiguous', 'tray')]
# A page alone, on which random hands open loupes, draw and rewind.
PAPER = {
    'model': 'loupe', 'fps': 60,
    'scene': {'canvas': {'width': 480, 'height': 360}, 'layers': [{'fill': '#fffdf6', 'rect': [40, 30, 400, 300]}], 'loupes': []},
}


def still(browser):
    """The reader wants pages to be still, so nothing plays by itself."""
    browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-reduced-motion', 'value': 'reduce'}])


def open_session(browser, address):
    """Opens a page, with its figure as large as its canvas."""
    browser.open(address)
    browser.value(f"{FIGURE}.ready.then(() => {{ {FIGURE}.style.width = {FIGURE}.natural[0] + 'px'; }})")
    browser.until(f'{FIGURE}.canvas.width === {FIGURE}.natural[0]')


def states(pages, session):
    done = pages.run('replay', session, '--allow-outside', '--dry-run', '--states', '-')
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def page_states(browser):
    return browser.value(f'''(() => {{
        const figure = {FIGURE}, lines = [];
        for (let frame = 0; frame < figure.frameCount; frame++) {{
            figure.module.call('session_states', frame);
            lines.push(figure.module.message);
        }}
        return lines;
    }})()''')


def check_same(wanted, got, name):
    assert len(wanted) == len(got), f'{name}: {len(got)} frames in place of {len(wanted)}'
    for number, (native, page) in enumerate(zip(wanted, got)):
        assert native == page, f'{name}: frame {number}\n{native}\n{page}'


def check_size(path):
    """What a page holds beside the session and its pictures: the module and the scripts."""
    content = path.read_text()
    own = re.compile(r'id="(?:data|payload-picture-[0-9-]+)">(.*?)</script>|src="(data:image/png[^"]*)"', re.DOTALL)
    parts = [part for found in own.findall(content) for part in found if part]
    assert len(parts) >= 2, 'a page has a session and a picture'
    shared = len(content) - sum(map(len, parts))
    # Every model of motion is in the module; a figure's reader needs none of them.
    assert shared <= 800_000, shared


def check_player(pages, browser, session, step):
    """The states of every frame, number for number; and the pixels of some."""
    open_session(browser, pages.write('session.html', session, '--allow-outside'))
    check_size(pages.folder / 'session.html')
    wanted = states(pages, session)
    check_same(wanted, page_states(browser), session)
    frames = pages.folder / 'frames'
    frames.mkdir(exist_ok=True)
    for old in frames.iterdir():
        old.unlink()
    done = pages.run('replay', session, '--allow-outside', '-o', frames / '%04d.png', '--every', step, '--quiet')
    assert done.returncode == 0, done.stderr
    compared = 0
    for file in sorted(frames.glob('*.png')):
        number = int(file.stem)
        moment, width, height, pixels = shown(browser, before=f'figure.seek({number} / figure.framesPerSecond);')
        assert moment == json.loads(wanted[number])['t'], (session, number, moment)
        actual = pages.folder / 'actual.png'
        write_png(actual, width, height, pixels)
        passes, text = pages.compare(file, actual, '--tolerance', '2')
        assert passes, f'{session}: frame {number}\n{text}'
        compared += 1
    assert browser.complaints() == [], browser.complaints()
    print(f'{session}: {len(wanted)} frames have the states of replay, {compared} its pixels')


def check_keys_and_play(browser):
    """Space plays, arrows step, and a recording ends at its end."""
    browser.value(f'{FIGURE}.focus()')
    rate = browser.value(f'{FIGURE}.framesPerSecond')
    browser.key('Home')
    browser.key('ArrowRight')
    assert browser.value(f'{FIGURE}.time') == 1 / rate
    browser.key('ArrowRight', shift=True)
    assert browser.value(f'{FIGURE}.time') == 11 / rate
    browser.key('ArrowLeft')
    assert browser.value(f'{FIGURE}.time') == 10 / rate
    browser.key(' ')
    browser.until(f'{FIGURE}.isPlaying && {FIGURE}.time > 0.3')
    browser.key(' ')
    moment = browser.value(f'{FIGURE}.time')
    browser.value('new Promise((done) => setTimeout(done, 200))')
    assert not browser.value(f'{FIGURE}.isPlaying') and browser.value(f'{FIGURE}.time') == moment
    browser.value(f'{FIGURE}.seek({FIGURE}.duration - 0.1)')
    browser.key(' ')
    browser.until(f'!{FIGURE}.isPlaying && {FIGURE}.time === {FIGURE}.duration')


def check_plays_by_itself(pages, browser, address):
    """A page of one session plays unless its reader wants pages to be still."""
    browser.open(address)
    browser.value(f'{FIGURE}.ready')
    browser.value('new Promise((done) => setTimeout(done, 300))')
    assert browser.value(f'{FIGURE}.time') == 0
    browser.call('Emulation.setEmulatedMedia', features=[])
    browser.open(address)
    browser.until(f'{FIGURE}.isPlaying && {FIGURE}.time > 0.1')
    still(browser)


def send(browser, calls, start, each):
    """Sends touches to the figure, each at its own time, and calls `each` after every one."""
    left, top = browser.value(f'(() => {{ const box = {FIGURE}.getBoundingClientRect(); return [box.left, box.top]; }})()')
    for number, call in enumerate(calls):
        parameters = json.loads(json.dumps(call['params']))
        for point in parameters.get('touchPoints', []):
            point['x'] += left
            point['y'] += top
        parameters['timestamp'] += start
        browser.call(call['method'], **parameters)
        each(number)


def next_frame(browser):
    browser.value('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')


def recorded(pages, browser, session):
    """Ends the recording, and writes it beside a copy of its session."""
    browser.value(f'{FIGURE}.stop()')
    trace = browser.value(f'{FIGURE}.own.trace')
    pointers = browser.value(f'{FIGURE}.own.pointers')
    root = pages.folder / 'examples' / pathlib.Path(session).parent.name
    root.mkdir(parents=True, exist_ok=True)
    for name in ('reference-images', 'examples/pages'):
        if not (pages.folder / name).exists():
            (pages.folder / name).symlink_to(os.path.abspath(name))
    (root / 'own.jsonl').write_text(trace)
    (root / 'pointers.jsonl').write_text(pointers)
    copy = json.loads(pathlib.Path(session).read_text())
    copy['trace'] = 'own.jsonl'
    # What is expected is said of the other trace.
    for key in ('duration', 'expect'):
        copy.pop(key, None)
    (root / 'own.json').write_text(json.dumps(copy))
    return root / 'own.json', [json.loads(line) for line in trace.splitlines()]


def check_frames(pages, session, frames):
    """Frames that the page showed, against the command's of the recording at the same times."""
    assert frames
    for moment, width, height, pixels in frames:
        done = pages.run('replay', session, '--allow-outside', '--scene-at', repr(moment))
        assert done.returncode == 0, done.stderr
        scene = session.parent / 'moment.json'
        scene.write_text(done.stdout)
        drawn = pages.folder / 'moment.png'
        done = pages.run('render', scene, '--allow-outside', '-o', drawn)
        assert done.returncode == 0, done.stderr
        actual = pages.folder / 'actual.png'
        write_png(actual, width, height, pixels)
        passes, text = pages.compare(drawn, actual, '--tolerance', '2')
        assert passes, f'{session}: at {moment} s\n{text}'


def dispatched(events):
    """The calls of Input.dispatchTouchEvent that make a browser report a trace's touches."""
    kinds = {'began': 'touchStart', 'moved': 'touchMove', 'ended': 'touchEnd'}
    return [{'method': 'Input.dispatchTouchEvent', 'params': {
        'type': kinds[event['phase']], 'timestamp': event['t'],
        'touchPoints': [{'x': event['at'][0], 'y': event['at'][1], 'id': event['touch']}]}}
        for event in events if 'touch' in event]


def check_recorder(pages, browser, session, count, is_paced=False):
    """The touches of a session's own trace, sent by the browser: the page's frames are those of the trace that it saves."""
    trace = pathlib.Path(session).parent / json.loads(pathlib.Path(session).read_text())['trace']
    calls = dispatched(json.loads(line) for line in trace.read_text().splitlines())
    open_session(browser, pages.write('session.html', session, '--allow-outside', '--record'))
    browser.value(f'{FIGURE}.record()')
    step, frames, is_due = max(1, len(calls) // count), [], False
    # Ahead of the clock, so that every event has its own time however slow this machine is.
    start = time.time() + (0 if is_paced else 600)

    def each(number):
        if is_paced:
            time.sleep(max(0, start + calls[number]['params']['timestamp'] - time.time()))
        nonlocal is_due
        is_due |= number % step == step - 1
        # Of fingers that move at one time, each has its own call; what is shown between them belongs to no time.
        if is_due and [call['params']['timestamp'] for call in calls[number:number + 2]].count(
                calls[number]['params']['timestamp']) == 1:
            next_frame(browser)
            frames.append(shown(browser))
            is_due = False

    send(browser, calls, start, each)
    next_frame(browser)
    frames.append(shown(browser))
    own, events = recorded(pages, browser, session)
    check_frames(pages, own, frames)
    check_same(states(pages, own), page_states(browser), own)
    fingers = [event for event in events if 'touch' in event]
    wanted = [json.loads(line) for line in trace.read_text().splitlines() if 'touch' in line]
    assert [event['phase'] for event in fingers if event['phase'] != 'moved'] == \
        [event['phase'] for event in wanted if event['phase'] != 'moved'], session
    if not is_paced:
        late = max(abs(a['t'] - b['t'] + wanted[0]['t']) for a, b in zip(
            (event for event in fingers if event['phase'] == 'began'), (event for event in wanted if event['phase'] == 'began')))
        assert late < 0.002, f'{session}: a touch began {late} s off'
    # Every event as the browser reported it is a recording too.
    done = pages.run('trace', 'convert', own.parent / 'pointers.jsonl', '-o', own.parent / 'converted.jsonl')
    assert done.returncode == 0, done.stderr
    print(f'{session}: {len(events)} recorded events, {len(frames)} frames as replay draws them')


def check_tilt(pages, browser, count):
    """The gyroscope and the mouse move the tilt panner, and the recording has both."""
    session = 'examples/motion/tilt.json'
    open_session(browser, pages.write('session.html', session, '--allow-outside', '--record'))
    browser.value(f'{FIGURE}.record()')
    frames = []
    for number in range(24):
        browser.value(f'''window.dispatchEvent(new DeviceMotionEvent('devicemotion',
            {{rotationRate: {{alpha: 1, beta: {60 * math.sin(number / 3)}, gamma: 2}}}}))''')
        if number % (24 // count) == 0:
            next_frame(browser)
            frames.append(shown(browser))
    left, top = browser.value(f'(() => {{ const box = {FIGURE}.getBoundingClientRect(); return [box.left, box.top]; }})()')
    for number in range(12):
        browser.mouse('mouseMoved', left + 20 + 12 * number, top + 90)
        next_frame(browser)
    frames.append(shown(browser))
    browser.drag(left + 60, top + 60, left + 120, top + 60)
    next_frame(browser)
    frames.append(shown(browser))
    own, events = recorded(pages, browser, session)
    turned = [event['rotation'][1] for event in events if 'rotation' in event]
    assert len(turned) > 30 and max(map(abs, turned)) > 0.5, turned
    assert any(event.get('phase') == 'ended' for event in events)
    lines = [json.loads(line) for line in states(pages, own)]
    assert len({line['offset'] for line in lines}) > 10, 'the photo does not move'
    check_frames(pages, own, frames)
    check_same(states(pages, own), page_states(browser), own)
    print(f'{session}: {len(events)} recorded events, {len(frames)} frames as replay draws them')


def check_mouse_pair(pages, browser):
    """With Alt the mouse is two fingers, which open a loupe."""
    session = 'examples/gestures/in-hand.json'
    open_session(browser, pages.write('session.html', session, '--allow-outside', '--record'))
    browser.value(f'{FIGURE}.record()')
    left, top = browser.value(f'(() => {{ const box = {FIGURE}.getBoundingClientRect(); return [box.left, box.top]; }})()')
    x, y = left + 200, top + 150
    browser.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1, modifiers=1)
    for step in range(1, 11):
        browser.mouse('mouseMoved', x + 6 * step, y, button='left', buttons=1, modifiers=1)
        next_frame(browser)
    frames = [shown(browser)]
    browser.mouse('mouseReleased', x + 60, y, button='left', buttons=0, clickCount=1, modifiers=1)
    next_frame(browser)
    own, events = recorded(pages, browser, session)
    assert {event['touch'] for event in events} == {0, 1}
    last = json.loads(states(pages, own)[-1])
    assert last['phase'] == 'resting' and last['zoom'] > 1.5, last
    check_frames(pages, own, frames)


def check_saving(pages, browser):
    """The trace is saved as a file, and offered as text."""
    folder = pages.folder / 'saved'
    folder.mkdir()
    browser.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(folder))
    trace = browser.value(f'{FIGURE}.own.trace')
    browser.value(f'{FIGURE}.view.saveButton.click()')
    for _ in range(100):
        if len([file for file in folder.iterdir() if file.suffix == '.jsonl' and file.stat().st_size]) == 2:
            break
        time.sleep(0.05)
    assert (folder / 'loupe.jsonl').read_text() == trace, list(folder.iterdir())
    assert json.loads((folder / 'loupe-pointers.jsonl').read_text().splitlines()[0])['type'] == 'pointerdown'
    browser.value(f'{FIGURE}.view.textButton.click()')
    assert browser.value(f'{FIGURE}.view.text.value') == trace
    assert browser.value(f'{FIGURE}.view.text.offsetParent !== null')
    browser.value(f'{FIGURE}.playGiven()')
    assert browser.value(f'{FIGURE}.view.saveButton.hidden')


def check_record_on_page(pages, browser):
    """A page becomes a session of the model loupe, without a recording until there is one."""
    source = ['examples/pages/interface-light.png', '--at', '400,200', '--radius', '90']
    open_session(browser, pages.write('page.html', *source, '--record'))
    assert browser.value(f'{FIGURE}.hasTrace') is False
    left, top = browser.value(f'(() => {{ const box = {FIGURE}.getBoundingClientRect(); return [box.left, box.top]; }})()')
    browser.value(f'{FIGURE}.record()')
    calls = []
    for number in range(20):
        kind = 'touchStart' if number == 0 else 'touchMove'
        points = [{'x': 300 - 3 * number, 'y': 200, 'id': 0}, {'x': 340 + 3 * number, 'y': 200, 'id': 1}]
        calls.append({'method': 'Input.dispatchTouchEvent', 'params': {'type': kind, 'touchPoints': points, 'timestamp': number / 60}})
    calls.append({'method': 'Input.dispatchTouchEvent', 'params': {'type': 'touchEnd', 'touchPoints': [], 'timestamp': 20 / 60}})
    send(browser, calls, time.time() + 600, lambda number: None)
    next_frame(browser)
    frame = shown(browser)
    browser.value(f'{FIGURE}.stop()')
    (pages.folder / 'own.jsonl').write_text(browser.value(f'{FIGURE}.own.trace'))
    source[0] = os.path.abspath(source[0])
    done = pages.run('render', *source, '--print-scene')
    (pages.folder / 'scene.json').write_text(done.stdout)
    session = pages.folder / 'paper.json'
    session.write_text(json.dumps({'model': 'loupe', 'scene': 'scene.json', 'trace': 'own.jsonl'}))
    check_frames(pages, session, [frame])
    last = json.loads(states(pages, session)[-1])
    assert last['phase'] == 'resting', last


def check_refusals(pages):
    """What can't become a page of sessions is refused, with the reason, and nothing is written or replaced."""
    session, page = MOTION[1], 'examples/pages/interface-light.png'
    own = pages.folder / 'kept.json'
    own.write_text(json.dumps({**PAPER, 'trace': 'kept.jsonl'}))
    (pages.folder / 'kept.jsonl').write_text(random_trace(1))
    (pages.folder / 'none.json').write_text(json.dumps(PAPER))
    for arguments, code, name in [
        ([session, '--allow-outside', '--at', '9,9'], 64, '--at'), ([session, '--allow-outside', '--scale', '2'], 64, '--scale'),
        ([page, session, '--allow-outside'], 64, session), ([session], 65, 'allow-outside'),
        ([pages.folder / 'none.json'], 65, 'trace'), ([session, page, '--allow-outside'], 65, page),
    ]:
        done = pages.run('live', *arguments, '-o', pages.folder / 'refused.html')
        assert done.returncode == code and name in done.stderr and done.stderr.count('\n') == 1, (arguments, done)
        assert not (pages.folder / 'refused.html').exists()
    for name in ('kept.json', 'kept.jsonl'):
        before = (pages.folder / name).read_text()
        done = pages.run('live', own, '-o', pages.folder / name)
        assert done.returncode in (64, 65) and (pages.folder / name).read_text() == before, done


def check_demo(program, browser):
    """Five interfaces on one page, which fits a desk's screen and a phone's; each plays, and each records."""
    subprocess.run(['tools/demo', 'live'], env={**os.environ, 'LOUPE_RENDER': program}, check=True, stdout=subprocess.DEVNULL)
    ids = ['loupe'] + [f'loupe-{number}' for number in range(2, 6)]
    for width, height in ((1400, 1000), (400, 800)):
        browser.size(width, height)
        browser.open(pathlib.Path('demo/live.html').absolute().as_uri())
        models = browser.value(f"""Promise.all({json.dumps(ids)}.map((id) => document.getElementById(id).ready))
            .then(() => {json.dumps(ids)}.map((id) => document.getElementById(id).model))""")
        assert models == ['loupe', 'tilt', 'scroll', 'panorama', 'transition'], models
        room = browser.value('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')
        assert room[0] <= width and room[1] <= height, (room, width, height)
        for number, name in enumerate(ids):
            figure = f"document.getElementById('{name}')"
            if width == 400:
                browser.value(f"document.querySelectorAll('#names button')[{number}].click()")
                assert browser.value("[...document.querySelectorAll('.card')].filter((card) => card.offsetParent).length") == 1
                room = browser.value('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')
                assert room[0] <= width and room[1] <= height, (name, room)
            browser.value(f'{figure}.view.playButton.click()')
            browser.until(f'{figure}.time > 0.05')
            browser.value(f'{figure}.pause(), {figure}.view.recordButton.click()')
            left, top, wide, high = browser.value(
                f'(() => {{ const {{left, top, width, height}} = {figure}.getBoundingClientRect(); return [left, top, width, height]; }})()')
            browser.drag(left + wide / 2, top + high / 2, left + wide / 3, top + high / 3)
            next_frame(browser)
            browser.value(f'{figure}.view.recordButton.click()')
            assert browser.value(f"{figure}.own.trace.includes('ended') && !{figure}.view.saveButton.hidden"), name
        assert browser.complaints() == [], browser.complaints()
        assert len(browser.requests()) == 1, browser.requests()
    browser.call('Emulation.clearDeviceMetricsOverride')


def random_trace(seed):
    """Two to five fingers of one or two hands that pinch, pan, circle, draw and leave, with jitter."""
    hand = random.Random(seed)
    events, clock = [], 0.0
    for _ in range(hand.randint(1, 4)):
        clock += hand.uniform(0.05, 0.4)
        x, y = hand.uniform(60, 420), hand.uniform(60, 300)
        kind = hand.choice(['pinch', 'pan', 'circle', 'single', 'leave', 'mixed'])
        span, count = hand.uniform(20, 200), 1 if kind == 'single' else 2
        radius, turn = hand.uniform(15, 140), hand.choice([-1, 1]) * hand.uniform(1, 8)
        rate, noise, length = hand.choice([60, 90, 120]), hand.choice([0, 0.3, 1.2]), hand.uniform(0.1, 0.9)
        delay = hand.choice([0, hand.uniform(0, 0.3)])
        speed, way = hand.uniform(50, 900), hand.uniform(0, 2 * math.pi)
        for finger in range(count):
            begin = clock + finger * delay
            steps = max(2, int(length * rate))
            for step in range(steps + 1):
                part = step / steps
                side = span / 2 * (1 if finger else -1)
                dx = dy = 0.0
                if kind in ('pinch', 'mixed'):
                    side *= 1 + part * hand.uniform(0.9, 1.1) * turn / 3
                if kind in ('pan', 'single', 'leave', 'mixed'):
                    dx, dy = part * length * speed * math.cos(way), part * length * speed * math.sin(way)
                if kind in ('circle', 'mixed'):
                    dx += radius * (math.cos(turn * part) - 1)
                    dy += radius * math.sin(turn * part)
                phase = 'began' if step == 0 else 'moved' if step < steps else hand.choice(['ended'] * 9 + ['cancelled'])
                events.append({
                    't': round(begin + part * length, 4), 'touch': finger, 'phase': phase,
                    'at': [round(x + side + dx + hand.gauss(0, noise), 2), round(y + dy + hand.gauss(0, noise), 2)]})
        clock += length + (count - 1) * delay
    events.sort(key=lambda event: event['t'])
    return ''.join(json.dumps(event) + '\n' for event in events)


def check_decisions(pages, browser, count):
    """The decisions of the recognizers about the project's traces and random ones: all states of all frames."""
    texts = {str(path): path.read_text() for path in sorted(pathlib.Path('examples').glob('*/*.jsonl'))
             if path.read_text().startswith('{"t"') and '"touch"' in path.read_text()}
    for path in sorted(pathlib.Path('Tests').glob('**/*.jsonl')):
        text = path.read_text()
        if text.startswith('{"t"') and '"touch"' in text:
            texts[str(path)] = text
    project = len(texts)
    texts.update({f'random {seed}': random_trace(seed) for seed in range(count)})
    folder = pages.folder / 'decisions'
    folder.mkdir()
    session = folder / 'session.json'
    session.write_text(json.dumps({**PAPER, 'trace': 'trace.jsonl'}))
    (folder / 'trace.jsonl').write_text(random_trace(0))
    open_session(browser, pages.write('decisions.html', session))
    decisions = set()
    for name, text in texts.items():
        (folder / 'trace.jsonl').write_text(text)
        wanted = states(pages, session)
        browser.value(f"{FIGURE}.module.give({json.dumps(text)}, 'session_play'), {FIGURE}.load()")
        got = page_states(browser)
        check_same(wanted, got, name)
        decisions |= {json.loads(line)['decision']['text'].split(':')[0] for line in wanted[::5]}
    assert {'pinch', 'pan', 'rewind', 'no gesture'} <= decisions, decisions
    print(f'decisions: {project} traces of the project and {count} random ones, every state as in the command')


def main():
    program, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    is_long = '--long' in arguments
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(
            Browser('chromium', 1400, 1300, webgl=True)) as browser:
        pages = Pages(program, folder)
        browser.call('Emulation.setTouchEmulationEnabled', enabled=True, maxTouchPoints=10)
        still(browser)
        chosen = MOTION + GESTURES if is_long else [*MOTION[:4], GESTURES[0]]
        for session in chosen:
            check_player(pages, browser, session, 7 if is_long else 120)
        check_keys_and_play(browser)
        check_plays_by_itself(pages, browser, 'file://' + str(pages.folder / 'session.html'))
        for session in (MOTION[1:4] + GESTURES if is_long else MOTION[1:4] + GESTURES[:1]):
            check_recorder(pages, browser, session, 24 if is_long else 4)
        if is_long:
            check_recorder(pages, browser, GESTURES[0], 40, is_paced=True)
            check_recorder(pages, browser, MOTION[3], 20, is_paced=True)
        check_tilt(pages, browser, 8 if is_long else 2)
        browser.call('Emulation.setTouchEmulationEnabled', enabled=False)
        check_mouse_pair(pages, browser)
        check_saving(pages, browser)
        browser.call('Emulation.setTouchEmulationEnabled', enabled=True, maxTouchPoints=10)
        check_record_on_page(pages, browser)
        check_refusals(pages)
        check_decisions(pages, browser, 1000 if is_long else 10)
        browser.call('Emulation.setTouchEmulationEnabled', enabled=False)
        check_demo(program, browser)
    print('live sessions: all passed')


if __name__ == '__main__':
    main()
