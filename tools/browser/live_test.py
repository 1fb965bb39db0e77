"""Live pages, as a reader uses them, and their pixels. See tools/browser/live."""
import base64
import contextlib
import itertools
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

from devtools import Browser
from marionette import Firefox

MARKUP = '<b onclick="x">it\'s & ж'
FIGURE = "document.getElementById('loupe')"
SIZED = ('examples/pages/interface-light.png', '--at', '400,200', '--radius', '90', '--zoom', '3')


class Pages:
    """A folder with live pages, and the command that writes them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, timeout=300)

    def write(self, name, *arguments):
        done = self.run('live', *arguments, '-o', self.folder / name)
        assert done.returncode == 0, f'{arguments}: {done.returncode}\n{done.stderr}'
        return 'file://' + urllib.parse.quote(str(self.folder / name))

    def compare(self, reference, actual, *limits):
        done = self.run('diff', reference, actual, *limits)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode == 0, done.stdout


def write_png(path, width, height, pixels):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    rows = b''.join(b'\0' + pixels[y * width * 4:(y + 1) * width * 4] for y in range(height))
    header = struct.pack('>IIBBBBB', width, height, 8, 6, 0, 0, 0)
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(rows, 1))
                     + chunk(b'IEND', b''))


def shown(browser, figure=FIGURE, before=''):
    """The time that a figure shows, where it has one, and its last frame: the width, the height and the bytes.

    The figure is an expression; what is in `before` is done first. Fails with the reason where there is no frame.
    """
    moment, width, height, text = browser.value(f'''(async () => {{
        const figure = {figure};
        await figure.ready;
        {before}
        const {{width, height, data}} = figure.pixels();
        let text = '';
        for (let start = 0; start < data.length; start += 32768)
            text += String.fromCharCode(...data.subarray(start, start + 32768));
        return [figure.time ?? null, width, height, btoa(text)];
    }})()''')
    return moment, width, height, base64.b64decode(text)


def frame(browser, figure=FIGURE):
    """The last frame of a figure: the width, the height and the bytes."""
    return shown(browser, figure)[1:]


def limits(scene):
    """What specification, section 9, allows, as arguments of `diff`: each list has to pass."""
    own = scene.get('verify', {})
    if 'tolerance' in own or 'maxPixels' in own:
        return [['--tolerance', own.get('tolerance', 2), '--max-pixels', own.get('maxPixels', 0)]]
    corners = [layer.get('corner', {}) for layer in scene.get('layers', [])]
    radii = [radius for corner in corners for radius in numbers(corner.get('radius', 0)) + numbers(corner.get('radii', {}))]
    tight = any(0 < radius < 4 for radius in radii) or any(
        corner.get('exponent', 4) > 8 or corner.get('css', 0) > 3 for corner in corners)
    if tight:
        return [['--tolerance', 8]]
    most, ratio = (3, 0.01) if scene.get('blending') == 'linear' else (2, 0.001)
    return [['--tolerance', most], ['--tolerance', 1, '--max-ratio', ratio]]


def numbers(value):
    if isinstance(value, (int, float)):
        return [value]
    values = value.values() if isinstance(value, dict) else value
    return [number for part in values for number in numbers(part)]


def references():
    """All reference scenes, and those that a browser can be asked: WebGL2 reads back 8 bits."""
    cases = sorted(path for path in pathlib.Path('reference-images').glob('*/*.json') if path.with_suffix('.png').exists())
    return cases, [path for path in cases if path.with_suffix('.png').read_bytes()[24] != 16]


def check_references(pages, browser, chosen, matrix=None):
    """The frames of reference scenes against their pictures, each within its own limits."""
    cases, asked = references()
    results, failed, began = [], [], time.monotonic()
    for path in chosen:
        browser.open(pages.write('case.html', path, '--allow-outside'))
        width, height, pixels = frame(browser)
        actual = pages.folder / 'case.png'
        write_png(actual, width, height, pixels)
        allowed = limits(json.loads(path.read_text()))
        for limit in allowed:
            passes, text = pages.compare(path.with_suffix('.png'), actual, *limit)
            if not passes:
                failed.append(f'{path}: over {" ".join(map(str, limit))}\n{text}')
                break
        _, text = pages.compare(path.with_suffix('.png'), actual)
        found = re.search(r'would pass at --tolerance (\d+)', text)
        results.append({
            'suite': path.parent.name, 'name': path.stem, 'limits': {'tolerance': allowed[0][1]},
            'difference': {'maxDelta': int(found[1]) if found else 0}})
    driver = browser.value("""(() => {
        const gl = document.getElementById('loupe').device.gl;
        const info = gl.getExtension('WEBGL_debug_renderer_info');
        return {renderer: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER), version: gl.getParameter(gl.VERSION)};
    })()""")
    if matrix:
        for result in results:
            result['driver'] = driver
        matrix.write_text(json.dumps({
            'cases': results, 'counts': {'passed': len(results) - len(failed)},
            'milliseconds': (time.monotonic() - began) * 1000}))
    largest = max(result['difference']['maxDelta'] for result in results)
    print(f'webgl2: {len(results)} of {len(asked)} references, {len(failed)} failed, largest difference {largest}; '
          f'{len(cases) - len(asked)} of 16 bits are not asked, as WebGL2 reads back 8; {driver["renderer"]}')
    assert not failed, '\n'.join(failed)


def loupe(browser):
    return browser.value("document.getElementById('loupe').loupe")


def box(browser):
    return browser.value('''(() => {
        const box = document.getElementById('loupe').getBoundingClientRect();
        return [box.left, box.top, box.width, box.height];
    })()''')


def check_first_frame(pages, browser):
    """A page opens as the command draws it, from disk, with nothing asked of anybody."""
    source = SIZED[0]
    browser.open(pages.write('page.html', *SIZED))
    assert pages.run(*SIZED, '-o', pages.folder / 'page.png').returncode == 0
    width, height, pixels = frame(browser)
    write_png(pages.folder / 'live.png', width, height, pixels)
    passes, text = pages.compare(pages.folder / 'page.png', pages.folder / 'live.png', '--tolerance', '2')
    assert passes, text
    assert browser.complaints() == [], browser.complaints()
    assert len(browser.requests()) == 1, browser.requests()
    check_size(source, pages.folder / 'page.html')
    photograph = 'reference-images/pages/photograph-2048.png'
    pages.write('photograph.html', photograph, '--at', '900,700')
    check_size(photograph, pages.folder / 'photograph.html')


def check_size(source, page):
    own = os.path.getsize(source)
    more = os.path.getsize(page) - own
    print(f'a page of {own} bytes: {more} bytes more')
    assert more <= 600_000, more


def check_mouse_and_wheel(browser):
    left, top, width, height = box(browser)
    browser.mouse('mouseMoved', left + width / 2, top + height / 2)
    browser.mouse('mouseMoved', left + width / 3, top + height / 3)
    state = loupe(browser)
    assert state['open'] and abs(state['center'][0] - width / 3) < 1, state
    browser.mouse('mouseWheel', left + width / 3, top + height / 3, deltaX=0, deltaY=-200)
    browser.mouse('mouseWheel', left + width / 3, top + height / 3, deltaX=0, deltaY=-200, modifiers=2)
    browser.until(f"document.getElementById('loupe').loupe.zoom > {state['zoom'] * 1.2}")
    assert loupe(browser)['zoom'] < state['zoom'] * 2, 'the wheel zooms without Ctrl'


def check_two_fingers(browser):
    left, top, width, height = box(browser)
    x, y = left + width / 2, top + height / 2
    before = loupe(browser)['zoom']

    def touch(kind, *points):
        browser.call('Input.dispatchTouchEvent', type=kind,
                     touchPoints=[{'x': x + dx, 'y': y, 'id': number} for number, dx in enumerate(points)])

    touch('touchStart', -20)
    touch('touchStart', -20, 20)
    touch('touchMove', -15, 15)
    touch('touchEnd')
    assert abs(loupe(browser)['zoom'] - before * 0.75) < 0.05 * before, (before, loupe(browser))


def check_keys(browser):
    browser.value("document.getElementById('loupe').focus()")
    before = loupe(browser)
    browser.key('ArrowRight')
    assert abs(loupe(browser)['center'][0] - before['center'][0] - 10) < 1e-6
    browser.key('-')
    assert abs(loupe(browser)['zoom'] - max(1, before['zoom'] * 0.8)) < 1e-6
    browser.until("document.getElementById('told').textContent.startsWith('Loupe at')")
    browser.key('Escape')
    assert not loupe(browser)['open']
    browser.until("document.getElementById('told').textContent === 'Loupe put away.'")
    browser.key('ArrowLeft')
    assert loupe(browser)['open']


def check_lost_device(browser):
    before = frame(browser)
    browser.value('''(() => {
        window.extension = document.getElementById('loupe').device.gl.getExtension('WEBGL_lose_context');
        extension.loseContext();
    })()''')
    browser.until("document.getElementById('loupe').device === null")
    browser.value('extension.restoreContext()')
    browser.until("document.getElementById('loupe').device !== null")
    assert frame(browser) == before, 'another picture after the device was lost'


def check_sizes(pages, browser):
    """Screens of two and three times the density show what the command draws on a larger canvas; a narrow window fits."""
    for density in (2, 3):
        browser.call('Emulation.setDeviceMetricsOverride', width=1400, height=900, deviceScaleFactor=density, mobile=False)
        # Without a rim, whose width the command rounds to whole pixels of either canvas.
        browser.open(pages.write('sizes.html', *SIZED, '--plain'))
        frame(browser)
        wide = browser.value("document.getElementById('loupe').natural[0]") * density
        browser.until(f"document.getElementById('loupe').canvas.width === {wide}")
        width, height, pixels = frame(browser)
        write_png(pages.folder / 'live.png', width, height, pixels)
        assert pages.run(*SIZED, '--plain', '-o', pages.folder / 'sizes.png', '--scale', density).returncode == 0
        passes, text = pages.compare(pages.folder / 'sizes.png', pages.folder / 'live.png', '--tolerance', '2')
        assert passes, f'density {density}: {text}'
    browser.call('Emulation.setDeviceMetricsOverride', width=300, height=900, deviceScaleFactor=1, mobile=False)
    browser.until("document.getElementById('loupe').canvas.width <= 300")
    browser.call('Emulation.clearDeviceMetricsOverride')


def check_without_scripts(browser, address):
    browser.call('Emulation.setScriptExecutionDisabled', value=True)
    browser.open(address)
    browser.call('Emulation.setScriptExecutionDisabled', value=False)
    shown = browser.value("(() => { const image = document.querySelector('img'); return image.naturalWidth > 0 && image.offsetWidth > 0; })()")
    assert shown, 'no picture without scripts'


def check_attacks(pages, browser):
    """Names with markup, and files that are cut off or damaged."""
    folder = pages.folder / 'names'
    folder.mkdir()
    source = folder / (MARKUP + '.png')
    source.write_bytes(pathlib.Path('examples/pages/scatter.png').read_bytes())
    address = pages.write('names.html', source, '--label', MARKUP)
    text = (pages.folder / 'names.html').read_text()
    assert MARKUP not in text and str(folder) not in text, 'a name is in the page'
    browser.open(address)
    frame(browser)
    assert browser.value("document.getElementById('loupe').getAttribute('aria-label')") == MARKUP
    for name, damage in [('module', lambda text: text[:-500]), ('module', lambda text: text[:1000] + '~~~~~' + text[1005:]),
                         ('picture-0-0', lambda text: text[:1 + len(text) // 10 * 5])]:
        element = re.search(f'(<script type="text/plain" id="payload-{name}">)(.*?)(</script>)', text, re.S)
        (pages.folder / 'damaged.html').write_text(
            text[:element.start()] + element[1] + damage(element[2]) + element[3] + text[element.end():])
        browser.open('file://' + str(pages.folder / 'damaged.html'))
        reason = browser.value("document.getElementById('loupe').ready.then(() => '', (error) => error.message)")
        assert reason, f'{name}: damaged, and no reason is given'
        assert not browser.value("document.getElementById('note').hidden")


def check_small_and_large(pages, browser):
    """A page of one pixel; one that no texture holds, which is shown smaller with a note; one that is refused."""
    for name, width, height in [('one', 1, 1), ('wide', 12000, 40), ('huge', 30000, 20000)]:
        write_gray(pages.folder / f'{name}.png', width, height)
    browser.open(pages.write('one.html', pages.folder / 'one.png'))
    assert frame(browser)[:2] == (1, 1)
    browser.open(pages.write('wide.html', pages.folder / 'wide.png'))
    frame(browser)
    assert 'of its size' in browser.value("document.getElementById('note').textContent")
    done = pages.run('live', pages.folder / 'huge.png', '-o', pages.folder / 'huge.html')
    assert done.returncode == 65 and '30000×20000' in done.stderr, (done.returncode, done.stderr)
    assert not (pages.folder / 'huge.html').exists()


def check_guests(browser):
    """Messages of other pages do nothing, and the policy lets nothing in or out."""
    before = loupe(browser)
    browser.value("""(() => {
        for (const message of ['close', {type: 'loupe', zoom: 1e9}, {toString: null}, [[]], null])
            window.postMessage(message, '*');
        return new Promise((done) => setTimeout(done, 50));
    })()""")
    assert loupe(browser) == before
    refused = browser.value("""Promise.all([
        fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused'),
        new Promise((done) => {
            const image = new Image();
            [image.onload, image.onerror] = [() => done('loaded'), () => done('refused')];
            image.src = 'http://127.0.0.1:9/picture.png';
        }),
        new Promise((done) => {
            document.addEventListener('securitypolicyviolation', () => done('refused'), {once: true});
            const script = document.createElement('script');
            try {
                script.src = 'http://127.0.0.1:9/script.js';
                document.head.append(script);
            } catch { done('refused'); }
        }),
    ])""")
    assert refused == ['refused'] * 3, refused


def check_events(browser):
    """`loupechange` for every change, `loupeend` when a gesture ends, each with the state."""
    browser.value("""(() => {
        window.seen = [];
        for (const type of ['loupechange', 'loupeend'])
            document.getElementById('loupe').addEventListener(type, (event) => seen.push([type, event.detail.center[0]]));
    })()""")
    left, top, width, height = box(browser)
    browser.drag(left + width / 2, top + height / 2, left + width / 2 + 50, top + height / 2)
    seen = browser.value('seen')
    assert [kind for kind, _ in seen].count('loupechange') >= 3, seen
    assert seen[-1][0] == 'loupeend' and abs(seen[-1][1] - loupe(browser)['center'][0]) < 1e-9, seen


def check_taps(browser):
    """A touch calls the loupe, a drag moves it, and two taps put it away."""
    browser.call('Emulation.setTouchEmulationEnabled', enabled=True, maxTouchPoints=5)
    left, top, width, height = box(browser)
    x, y = left + width / 2, top + height / 2

    clock = itertools.count(1)

    def touch(kind, *points):
        # Each a twentieth of a second after the last, however slow this machine is.
        browser.call('Input.dispatchTouchEvent', type=kind, timestamp=start + next(clock) / 20,
                     touchPoints=[{'x': px, 'y': py} for px, py in points])

    start = time.time()
    browser.value("document.getElementById('loupe').module.exports.loupe_put_away()")
    touch('touchStart', (x, y))
    assert loupe(browser)['open']
    touch('touchMove', (x + 40, y + 20))
    touch('touchEnd')
    assert abs(loupe(browser)['center'][0] - (width / 2 + 40)) < 1, loupe(browser)
    # Later than a second tap.
    start += 2
    for _ in range(2):
        touch('touchStart', (x, y))
        touch('touchEnd')
    assert not loupe(browser)['open']
    browser.call('Emulation.setTouchEmulationEnabled', enabled=False)


def check_time(pages, browser):
    """The script's time from a pointer's event to the commands of a frame, and what stays after many frames."""
    write_gray(pages.folder / 'page.png', 1600, 1200)
    browser.open(pages.write('time.html', pages.folder / 'page.png', '--at', '800,600', '--radius', '150', '--zoom', '3'))
    frame(browser)
    measured = browser.value("""(() => {
        const figure = document.getElementById('loupe');
        const box = figure.getBoundingClientRect();
        const kept = () => [figure.module.memory.buffer.byteLength, figure.device.textures.length,
            figure.device.targets.length, figure.device.programs.length];
        const times = [];
        let early;
        for (let step = 0; step < 80; step++) {
            const event = new PointerEvent('pointermove', {
                pointerId: 1, pointerType: 'mouse', clientX: box.left + 300 + step * 2, clientY: box.top + 300 + step});
            const began = performance.now();
            figure.dispatchEvent(event);
            figure.drawNow();
            times.push(performance.now() - began);
            // SwiftShader draws on the processor, and the script is not to wait for it.
            figure.device.gl.finish();
            if (step === 20) early = kept();
        }
        return {times: times.slice(20).sort((a, b) => a - b), early, late: kept()};
    })()""")
    times = measured['times']
    print(f'a frame of 1600×1200 takes {times[len(times) // 2]:.2f} ms of script (median), {times[-1]:.1f} ms at most')
    assert measured['early'] == measured['late'], measured
    return times[len(times) // 2]


def check_without_webgl(pages, address):
    """A browser without WebGL2 shows the picture, and says why nothing moves."""
    with contextlib.closing(Browser('chromium', 900, 700, flags=['--disable-gpu', '--disable-3d-apis'])) as browser:
        browser.open(address)
        reason = browser.value("document.getElementById('loupe').ready.then(() => '', (error) => error.message)")
        assert 'WebGL2' in reason, reason
        assert not browser.value("document.getElementById('note').hidden")
        assert browser.value("(() => { const image = document.querySelector('img'); "
                             "return image.offsetWidth > 0 && getComputedStyle(image).visibility === 'visible'; })()")


def check_firefox(pages):
    """Firefox draws twenty references, and its reader moves, zooms and puts away."""
    with contextlib.closing(Firefox()) as browser:
        asked = references()[1]
        check_references(pages, browser, asked[::len(asked) // 19][:20])
        browser.open(pages.write('page.html', *SIZED))
        frame(browser)
        left, top, width, height = box(browser)
        browser.mouse(('move', left + width / 2, top + height / 2), ('move', left + width / 3, top + height / 3))
        state = loupe(browser)
        assert state['open'] and abs(state['center'][0] - width / 3) < 1, state
        browser.wheel(left + width / 3, top + height / 3, -200)
        assert loupe(browser)['zoom'] > state['zoom'] * 1.2, loupe(browser)
        browser.mouse(('move', left + 200, top + 150), ('down',), ('move', left + 260, top + 190), ('up',))
        assert abs(loupe(browser)['center'][0] - 260) < 2, loupe(browser)
        browser.value("document.getElementById('loupe').focus()")
        browser.key('\ue00c')
        assert not loupe(browser)['open']
        browser.key('\ue014')
        assert loupe(browser)['open']


def write_gray(path, width, height):
    """A PNG with stripes, of one bit a pixel."""
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    packer, row, data = zlib.compressobj(1), bytes((width + 7) // 8), b''
    for y in range(height):
        data += packer.compress(b'\0' + (b'\x5a' * len(row) if y % 16 < 8 else row))
    header = struct.pack('>IIBBBBB', width, height, 1, 0, 0, 0, 0)
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', data + packer.flush()) + chunk(b'IEND', b''))


def main():
    program, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]

    def value(name):
        return pathlib.Path(arguments[arguments.index(name) + 1]) if name in arguments else None

    matrix, is_long = value('--matrix'), '--long' in arguments
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(
            Browser('chromium', 2600, 2000, webgl=True)) as browser:
        pages = Pages(program, folder)
        # Figures are as large as the window allows; here each has its own size, so that pixels can be compared.
        browser.call('Page.addScriptToEvaluateOnNewDocument', source="""addEventListener('DOMContentLoaded', () => {
            for (const picture of document.querySelectorAll('.reader loupe-figure img'))
                picture.style.width = picture.getAttribute('width') + 'px';
        })""")
        if matrix:
            return check_references(pages, browser, references()[1], matrix)
        check_first_frame(pages, browser)
        address = 'file://' + str(pathlib.Path(folder) / 'page.html')
        check_mouse_and_wheel(browser)
        check_two_fingers(browser)
        check_keys(browser)
        check_events(browser)
        check_taps(browser)
        check_guests(browser)
        check_lost_device(browser)
        check_sizes(pages, browser)
        check_without_scripts(browser, address)
        check_without_webgl(pages, address)
        check_attacks(pages, browser)
        check_small_and_large(pages, browser)
        median = check_time(pages, browser)
        assert median <= (2 if is_long else 6), f'{median} ms; 2 are allowed on a quiet machine'
        check_references(pages, browser, references()[1][::1 if is_long else 32])
        if is_long:
            check_firefox(pages)
    print('browser/live: all passed')


if __name__ == '__main__':
    main()
