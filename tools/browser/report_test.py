"""The page of `loupe-render verify`, as a person uses it, on a large screen and on a phone. See tools/browser/report."""
import base64
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib

from devtools import Browser

# A browser would take this for markup if it were not escaped.
SUITE = '<b onclick="x">it\'s & \u0436'
SIZE = (240, 180)
SCREEN, PHONE = (1400, 1000), (400, 800)


class Workplace:
    """A folder with scenes of every state, and the command that verifies them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def scene(self, path, color='#20a040', x=60, background='#cccccc'):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        layer = {'fill': color, 'rect': [x, 40, 110, 90], 'corner': {'radius': 24, 'exponent': 4}}
        loupe = {'center': [120, 80], 'radius': 40, 'zoom': 4, 'focus': [x, 40]}
        canvas = {'width': SIZE[0], 'height': SIZE[1], 'background': background}
        file.write_text(json.dumps({'canvas': canvas, 'layers': [layer], 'loupes': [loupe]}))

    def run(self, code, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == code, f'{arguments}: {done.returncode}, not {code}\n{done.stdout}{done.stderr}'
        return done.stdout + done.stderr

    def address(self, name):
        return 'file://' + urllib.parse.quote(str(self.folder / name))

    def make_cases(self):
        """One case of each state: passed, failed, without a reference, broken."""
        folder = f'cases/{SUITE}'
        for name, x in [('good', 60), ('moved', 66), ('other', 66)]:
            self.scene(f'{folder}/{name}.json', x=x)
        self.run(1, 'verify', 'cases', '--update', 'all')
        # The scene was changed after its reference was drawn.
        self.scene(f'{folder}/moved.json', x=60)
        self.scene('cases/plain/missing.json', color='#3060c0')
        (self.folder / 'cases/plain/broken.json').write_text('{')

    def make_many(self, count):
        """As many failed cases of 480x360, each with a page, a place and colours of its own, one of ten with a part of a
        photograph: the references have another magnification."""
        (self.folder / 'many').mkdir()
        shutil.copy('examples/demos/pictures/sea.jpg', self.folder / 'many')
        for number in range(count):
            (self.folder / f'many/{number}.png').write_bytes(drawing(random.Random(number)))
        for zoom in (4, 4.25):
            for number in range(count):
                layer = {'image': f'{number}.png', 'rect': [0, 0, 480, 360]}
                if number % 10 == 0:
                    layer = {'image': 'sea.jpg', 'rect': [-number * 0.15, -number * 0.8, 560, 760]}
                loupe = {'center': [100 + number * 37 % 280, 100 + number * 17 % 160], 'radius': 50 + number % 40 + (zoom > 4),
                         'zoom': zoom, 'focus': [number * 53 % 480, number * 29 % 360],
                         'rim': {'width': 3, 'color': f'#{number * 7919 % 4096:03x}'}}
                scene = {'canvas': {'width': 480, 'height': 360}, 'layers': [layer], 'loupes': [loupe]}
                (self.folder / f'many/case-{number:03}.json').write_text(json.dumps(scene))
            if zoom == 4:
                self.run(1, 'verify', 'many', '--update', 'all')
        start = time.monotonic()
        self.run(1, 'verify', 'many', '--report', 'many.html', '--quiet')
        print(f'{count} failed cases: drawn, compared and packed in {time.monotonic() - start:.0f} s')


def drawing(random):
    """The PNG of a page of 480x360: colours that change along diagonals, on it discs and bars of such colours, and words of small
    strokes."""
    width, height = 480, 360
    color = lambda: [random.randrange(256) for _ in range(3)]

    def ramp():
        one, other, count = color(), color(), width + height
        return b''.join(bytes(a + (b - a) * step // count for a, b in zip(one, other)) for step in range(count))

    paper, other = ramp(), color()
    rows = [bytearray(paper[3 * row:3 * (row + width)]) for row in range(height)]
    for index in range(75):
        fill, radius = ramp(), random.randrange(3, 45)
        x, y = random.randrange(width), random.randrange(height)
        for row in range(max(0, y - radius), min(height, y + radius)):
            half = radius if index % 2 else (radius ** 2 - (row + 0.5 - y) ** 2) ** 0.5
            left, right = max(0, round(x - half)), min(width, round(x + half))
            if left >= right:
                continue
            before = rows[row][3 * left:3 * left + 3]
            rows[row][3 * left:3 * right] = fill[3 * (left + row):3 * (right + row)]
            rows[row][3 * left:3 * left + 3] = bytes((a + b) // 2 for a, b in zip(before, fill))
    for line in range(20, height - 20, 18):
        for x in range(20, 20 + random.randrange(100, 400), 7):
            for _ in range(3):
                row = line + random.randrange(9)
                rows[row][3 * x:3 * x + 12] = bytes(other) * 4
    packed = zlib.compress(b''.join(b'\0' + row for row in rows))
    chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
    header = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', packed) + chunk(b'IEND', b'')


def transforms(browser):
    return browser.value("[...document.querySelectorAll('.picture')].map((image) => image.style.transform)")


def title(browser):
    return browser.value("document.querySelector('main h2').textContent")


def check_list(browser):
    """The list shows what did not pass; filters and keys choose."""
    browser.until("document.querySelector('main h2')")
    assert browser.value("document.querySelectorAll('.row').length") == 5
    assert browser.value("document.querySelector('output[name=shown]').value") == '3 of 5'
    assert browser.value("document.querySelector('main b') === null && document.querySelector('nav b') === null")
    titles = [title(browser)]
    for _ in range(2):
        browser.key('j')
        titles.append(title(browser))
    assert titles == [f'{SUITE}/moved', 'plain/broken', 'plain/missing'], titles
    browser.key('ArrowUp')
    browser.key('k')
    assert title(browser) == titles[0]
    browser.key('Escape')


def choose(browser, name, value):
    """Sets a filter as a person does."""
    browser.value(f"""(() => {{
        const field = document.querySelector('#filters [name={name}]');
        field.value = {json.dumps(value)};
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, {{bubbles: true}}));
    }})()""")


def shown_count(browser):
    return browser.value("document.querySelector('output[name=shown]').value")


def check_filters(browser):
    """A filter opens the first case that it shows; one that matches nothing shows none."""
    browser.key('f')
    for letter in 'miss':
        browser.key(letter)
    assert shown_count(browser) == '1 of 5' and title(browser) == 'plain/missing'
    assert browser.value('document.activeElement.name') == 'name', 'the field keeps the focus'
    for letter in 'xyz':
        browser.key(letter)
    assert shown_count(browser) == '0 of 5'
    assert browser.value("document.querySelector('main h2')") is None
    assert browser.value("document.querySelectorAll('main .viewer, [aria-current]').length") == 0
    assert 'No case matches' in browser.value("document.querySelector('main').textContent")
    browser.value('document.activeElement.blur()')
    browser.key('j')
    browser.key('a')
    browser.key('2')
    assert browser.value("document.getElementById('accepted-count').value") == '0'
    browser.click('main .hint button')
    assert shown_count(browser) == '5 of 5' and title(browser) == f'{SUITE}/good'
    choose(browser, 'suite', 'plain')
    assert shown_count(browser) == '2 of 5' and title(browser) == 'plain/broken'
    browser.key('j')
    assert title(browser) == 'plain/missing'
    choose(browser, 'suite', 'plain')
    assert title(browser) == 'plain/missing', 'the same filter again moves nothing'
    choose(browser, 'suite', '')
    choose(browser, 'state', 'passed')
    assert shown_count(browser) == '2 of 5' and title(browser) == f'{SUITE}/good'
    assert 'passed' in browser.value("document.querySelector('main .message').textContent")
    choose(browser, 'state', 'not passed')


def check_thumbnails(browser):
    """Each row with pictures has a small one of them."""
    browser.until("document.querySelectorAll('.thumbnail canvas').length === 2")
    boxes = browser.value("""[...document.querySelectorAll('.thumbnail canvas')].map((one) => {
        const bytes = one.getContext('2d').getImageData(0, 0, one.width, one.height).data;
        const box = one.getBoundingClientRect();
        return [box.width, box.height, new Set(new Uint32Array(bytes.buffer)).size];
    })""")
    for width, height, colors in boxes:
        assert 40 <= width <= 80 and 30 <= height <= 60 and colors > 1, boxes


def check_single(place, browser, screenshots):
    """A picture without a reference, and a reference without a picture, fill a view of their own."""
    open_title(browser, 'plain/missing')
    browser.until("document.querySelector('.viewer')")
    for key in '1234':
        browser.key(key)
        assert browser.value("document.querySelector('.viewer').dataset.view") == 'single'
        assert browser.value("[...document.querySelectorAll('.pane, .caption')].filter((one) => one.offsetParent).map((one) => one.className)") \
            == ['caption actual', 'pane actual'] or key == '3'
        assert browser.value("[...document.querySelectorAll('.views, .split')].every((one) => !one.offsetParent)")
    wide, all = browser.value("[document.querySelector('.pane.actual').clientWidth, document.querySelector('main').clientWidth]")
    assert wide > all * 0.9, (wide, all)
    assert 'A new picture' in browser.value("document.querySelector('main .note').textContent")
    screenshots('missing')
    browser.key('1')
    # The only picture is the one that the renderer drew.
    place.run(0, 'cases/plain/missing.json', '-o', 'missing.png', '--device', 'cpu')
    expect_pixels(place, browser, 'missing.png', '.pane.actual .picture')


def open_title(browser, wanted):
    for _ in range(20):
        browser.key('k')
    for _ in range(20):
        if title(browser) == wanted:
            return
        browser.key('j')
    raise AssertionError(f'{wanted} is not in the list')


def expect_pixels(place, browser, name, selector):
    """A shown picture is that of a file, to the last bit."""
    text = base64.b64encode((place.folder / name).read_bytes()).decode()
    browser.value(f"""(async () => {{
        document.getElementById('expected')?.remove();
        const image = document.createElement('img');
        image.id = 'expected';
        image.src = 'data:image/png;base64,{text}';
        await image.decode();
        document.body.append(image);
    }})()""")
    shown, expected = browser.pixels(selector), browser.pixels('#expected')
    browser.value("document.getElementById('expected').remove()")
    assert shown == expected, f'{name}: {sum(a != b for a, b in zip(shown, expected))} bytes differ'


def check_pictures(place, browser):
    """The pictures of a failed case are the reference and what the renderer draws."""
    open_title(browser, f'{SUITE}/moved')
    browser.until("document.querySelectorAll('.pane .picture').length === 3")
    place.run(0, f'cases/{SUITE}/moved.json', '-o', 'moved.png', '--device', 'cpu')
    expect_pixels(place, browser, f'cases/{SUITE}/moved.png', '.pane.reference .picture')
    expect_pixels(place, browser, 'moved.png', '.pane.actual .picture')


def check_reload(browser, address):
    """Accepted cases survive a reload, accepting opens the next case, and a picture that has changed is not accepted."""
    browser.open(address)
    browser.until("document.querySelector('.viewer')")
    browser.key('A', shift=True)
    assert title(browser) == 'plain/broken'
    browser.key('A', shift=True)
    assert title(browser) == 'plain/missing', 'what can not be accepted is passed over'
    browser.click('.accept-next')
    assert title(browser) == 'plain/missing', 'it was the last one'
    listed = browser.value("document.getElementById('list').value")
    for _ in range(2):
        browser.open(address)
        browser.until("document.querySelector('.viewer')")
        assert browser.value("document.getElementById('accepted-count').value") == '2'
        assert browser.value("document.getElementById('list').value") == listed
        assert browser.value("[...document.querySelectorAll('.row .accepted')].filter((one) => one.offsetParent).length") == 2
        assert browser.value("document.querySelector('.accept').getAttribute('aria-pressed')") == 'true'
    browser.value("""(() => {
        const [pair, ...others] = JSON.parse(localStorage.getItem(storage.name));
        localStorage.setItem(storage.name, JSON.stringify([[pair[0], 'sha256:' + '0'.repeat(64)], ...others]));
    })()""")
    browser.open(address)
    browser.until("document.querySelector('.viewer')")
    assert browser.value("document.getElementById('accepted-count').value") == '1'
    for text in ['{', '7', '[[1]]', 'null']:
        browser.value(f"localStorage.setItem(storage.name, {json.dumps(text)})")
        browser.open(address)
        browser.until("document.querySelector('.viewer')")
        assert browser.value("document.getElementById('accepted-count').value") == '0', text
    browser.key('a')
    browser.key('a')
    assert browser.value('localStorage.length') == 0, 'nothing is left'


def check_phone(browser, address, screenshots):
    """On a phone there is one pane, with the slider first; the list opens above it; nothing is cut off."""
    browser.size(*PHONE)
    browser.open(address)
    browser.until("document.querySelector('.viewer')")
    assert browser.value("document.querySelector('.viewer').dataset.view") == 'slider'
    views = browser.value("[...document.querySelectorAll('.views button')].filter((one) => one.offsetParent).map((one) => one.dataset.view)")
    assert views == ['slider', 'blink', 'difference'], views
    browser.key('1')
    assert browser.value("document.querySelector('.viewer').dataset.view") == 'slider', 'there is no room side by side'
    panes = browser.value("""[...document.querySelectorAll('.pane')].filter((one) => one.offsetParent).map((one) => {
        const box = one.getBoundingClientRect();
        return [box.left, box.top, box.width, box.height].map(Math.round).join();
    })""")
    assert len(set(panes)) == 1 and int(panes[0].split(',')[1]) < 300 and int(panes[0].split(',')[2]) > 350, panes
    assert browser.value("document.querySelector('nav').offsetParent") is None
    expect_fitting(browser)
    # No label breaks within a word, and each picture has an edge.
    broken = browser.value("""[...document.querySelectorAll('.tables th')].filter((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map((box) => box.top)).size > one.textContent.split(' ').length;
    }).map((one) => one.textContent)""")
    assert broken == [], broken
    assert browser.value("[...document.querySelectorAll('.pane .picture')].every((one) => getComputedStyle(one).boxShadow !== 'none')")
    screenshots('phone')
    browser.click('.step.next')
    assert title(browser) == 'plain/broken'
    browser.click('#list-button')
    assert browser.value("document.querySelector('main').offsetParent") is None
    expect_fitting(browser)
    heights = browser.value("[...document.querySelectorAll('#cases li')].filter((one) => !one.hidden).map((one) => one.getBoundingClientRect().height)")
    assert heights and all(height == round(height) for height in heights), heights
    screenshots('phone-list')
    browser.click('.row:not([aria-current])')
    browser.until("document.querySelector('main').offsetParent && document.querySelector('.viewer')")
    browser.click('[data-view="difference"]')
    assert browser.value("[...document.querySelectorAll('.pane')].filter((one) => one.offsetParent).map((one) => one.dataset.pane)") == ['difference']
    expect_fitting(browser)
    browser.size(*SCREEN)
    browser.until("document.querySelector('nav').offsetParent")


def expect_fitting(browser):
    """Nothing is wider than the screen."""
    wide = browser.value("""[...document.querySelectorAll('body *')].filter((one) => one.getClientRects().length > 0
        && !one.closest('.pane, .thumbnail, template')).map((one) => [one.tagName + '.' + one.className, one.getBoundingClientRect()])
        .filter(([, box]) => box.right > innerWidth + 0.5 || box.left < -0.5).map(([name, box]) => `${name} ${box.left} ${box.right}`)""")
    assert wide == [], wide
    assert browser.value('document.documentElement.scrollWidth <= innerWidth')


def check_help(browser):
    browser.key('?')
    assert browser.value("document.getElementById('help').open")
    browser.key('Escape')
    browser.until("!document.getElementById('help').open")


def check_zoom(browser):
    """All three pictures show the same part at the same scale, in squares."""
    browser.key('1')
    browser.until("document.querySelectorAll('.picture').length === 3")
    before = transforms(browser)
    assert len(before) == 3 and len(set(before)) == 1, before
    for act in [lambda: browser.key('+'), lambda: browser.key('ArrowRight', shift=True), lambda: wheel(browser, -100),
                lambda: drag_pane(browser), lambda: browser.click('.box')]:
        act()
        after = transforms(browser)
        assert len(set(after)) == 1 and after != before, after
        before = after
    assert 'scale(' in before[0]
    rendering = "getComputedStyle(document.querySelector('.picture')).imageRendering"
    assert browser.value(rendering) == 'pixelated'
    browser.key('0')
    # The pictures fill their panes, at a whole scale where that leaves little free.
    scale, fitting = browser.value('[viewer.frame.scale, Math.min(viewer.frame.size.width / 240, viewer.frame.size.height / 180)]')
    assert fitting * 0.75 < scale <= fitting and (scale % 1 > 0) == (browser.value(rendering) == 'auto'), (scale, fitting)


def wheel(browser, amount):
    x, y = browser.middle('.pane.actual')
    browser.mouse('mouseWheel', x + 30, y + 20, deltaX=0, deltaY=amount)
    browser.until('viewer.frame.scale > 2')


def drag_pane(browser):
    x, y = browser.middle('.pane.difference')
    browser.drag(x, y, x + 25, y - 15)


def check_slider(browser):
    """The actual picture is shown right of the handle, the reference left of it."""
    browser.key('2')
    x, y = browser.middle('.split')
    under = '''(() => {{
        const handle = document.querySelector('.split');
        handle.style.display = 'none';
        const pane = document.elementFromPoint({x}, {y}).closest('.pane').dataset.pane;
        handle.style.display = '';
        return pane;
    }})()'''
    pane = lambda place: browser.value(under.format(x=place, y=y))
    assert (pane(x - 60), pane(x + 60)) == ('reference', 'actual')
    browser.drag(x, y, x - 200, y)
    assert (pane(x - 260), pane(x - 60)) == ('reference', 'actual'), 'the handle follows the mouse'
    value = browser.value("document.querySelector('.split').value")
    browser.key('ArrowRight')
    assert browser.value("document.querySelector('.split').value") > value
    # Beside the handle, the mouse moves the pictures.
    before = transforms(browser)
    browser.drag(x + 200, y, x + 230, y)
    assert transforms(browser) != before
    browser.key('0')


def check_blink(browser):
    browser.key('3')
    shown = "document.querySelector('.now').value"
    seen = browser.value(shown)
    browser.until(f"{shown} !== '{seen}'", 5)
    browser.key('p')
    seen = browser.value(shown)
    time.sleep(1.5)
    assert browser.value(shown) == seen, 'it stands still'
    browser.key('ArrowRight')
    assert browser.value(shown) != seen
    browser.key('p')
    browser.key('1')


def check_lens(browser):
    """Over a pane, each pane shows the pixels there, large and with their numbers; a key takes the loupe away."""
    browser.key('1')
    browser.until("document.querySelector('.viewer').dataset.view === 'side'")
    hover = """(() => {
        const pane = document.querySelector('.pane.actual'), box = pane.getBoundingClientRect();
        const init = {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, pointerType: 'mouse'};
        pane.dispatchEvent(new PointerEvent('pointermove', init));
        return [...document.querySelectorAll('.lens')].filter((one) => one.offsetParent).length;
    })()"""
    assert browser.value(hover) == 3
    # The middle of its cell, beside the numbers, has the colour of the picture's pixel.
    matches = browser.value("""['reference', 'actual'].every((kind) => {
        const pane = document.querySelector(`.pane.${kind}`), lens = pane.querySelector('.lens');
        const image = pane.querySelector('.picture'), canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const [column, row] = viewer.frame.pixel(pane.clientWidth / 2, pane.clientHeight / 2);
        const density = lens.width / 190;
        const shown = lens.getContext('2d').getImageData(79 * density, 111 * density, 1, 1).data;
        return String(shown) === String(context.getImageData(column, row, 1, 1).data);
    })""")
    assert matches
    browser.key('l')
    assert browser.value(hover) == 0
    browser.key('l')
    assert browser.value(hover) == 3


def accept(browser, downloads):
    """Accepts two pictures, one by key and one with the mouse, and saves the list."""
    browser.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(downloads))
    browser.key('a')
    assert browser.value("document.querySelector('.accept').getAttribute('aria-pressed')") == 'true'
    browser.key('j')
    while title(browser) != 'plain/missing':
        browser.key('j')
    browser.click('.accept')
    browser.click('.accept')
    assert browser.value("document.getElementById('accepted-count').value") == '1', 'taken back'
    browser.click('.accept')
    browser.click('#acceptance summary')
    browser.click('#download')
    file = downloads / 'accept.json'
    for _ in range(100):
        if file.exists():
            break
        time.sleep(0.1)
    text = file.read_text()
    assert text == browser.value("document.getElementById('list').value")
    browser.click('#acceptance summary')
    return json.loads(text)


def check_applying(place, accepted):
    """A list for other pictures accepts nothing; the right list writes references, and then all cases pass."""
    reference = place.folder / 'cases' / SUITE / 'moved.png'
    before = reference.read_bytes()
    assert {entry['scene'] for entry in accepted['cases']} == {f'cases/{SUITE}/moved.json', 'cases/plain/missing.json'}
    other = {**accepted, 'cases': [{**entry, 'picture': 'sha256:' + '0' * 64} for entry in accepted['cases']]}
    (place.folder / 'other.json').write_text(json.dumps(other))
    said = place.run(1, 'verify', 'cases', '--accept', 'other.json')
    assert said.count('not accepted: another picture') == 2 and reference.read_bytes() == before, said
    place.run(66, 'verify', 'cases', '--accept', 'none.json')
    (place.folder / 'bad.json').write_text('{"format": "loupe-accept/1", "cases": [{}]}')
    assert 'cases[0].scene: missing' in place.run(65, 'verify', 'cases', '--accept', 'bad.json')
    (place.folder / 'cases/plain/broken.json').unlink()
    said = place.run(1, 'verify', 'cases', '--accept', 'downloads/accept.json')
    assert said.count('written as accepted') == 2 and '2 written' in said, said
    assert 'passed' in place.run(0, 'verify', 'cases')


def check_merged(place, browser):
    """`report merge` makes the same page from the JSON of the run."""
    place.run(1, 'verify', 'cases', '--json', '1.json', '--json-pictures', '--quiet')
    place.run(1, 'report', 'merge', '1.json', '--report', 'merged.html', '--quiet')
    browser.open(place.address('merged.html'))
    assert browser.value("document.querySelectorAll('.row').length") == 5
    browser.until("document.querySelectorAll('.picture').length === 3")
    # What changed is shown as one picture, here of one place: three pictures with their colours.
    assert browser.value("document.querySelector('.changes canvas').width") > 900
    place.run(73, 'report', 'merge', '1.json', '--report', 'none/merged.html', '--quiet')
    place.run(73, 'report', 'merge', '1.json', '--report', '/dev/full', '--quiet')


def hostile_names(count):
    """Names that end elements, strings and lines, or hold characters that HTML and JavaScript treat specially."""
    pieces = ['<', '>', '/', 'script', '</script>', '<!--', '-->', '"', "'", '\\', '\\u003c', '&', '&lt;', ';', '\0', '\n',
              '\r', '\t', '\u0301', '\u0338', '\u200d', '\u2028', '\u2029', '\ufeff', '\U0001f600', 'img src=x onerror=x', '=', 'a', ' ']
    choice = random.Random(18)
    return [''.join(choice.choices(pieces, k=choice.randint(1, 12))) for _ in range(count)]


def check_hostile(place, browser):
    """Whatever a name holds, the page shows it as text and makes no element of it."""
    names = hostile_names(300)
    cases = [{'suite': name, 'name': name, 'scene': f'{name}{number}', 'state': 'broken', 'message': name, 'milliseconds': 1,
              'driver': {'renderer': name, 'version': name}} for number, name in enumerate(names)]
    results = {'format': 'loupe-verify/1', 'milliseconds': 1, 'obsolete': names[:9], 'cases': cases}
    (place.folder / 'hostile.json').write_text(json.dumps(results))
    place.run(1, 'report', 'merge', 'hostile.json', '--report', 'hostile.html', '--quiet')
    browser.open(place.address('hostile.html'))
    shown = browser.value("""rows.map((row) => {
        open(row);
        const page = document.getElementById('case');
        return [row.button.querySelector('.title').textContent, page.querySelector('h2').textContent,
            page.querySelector('.message').lastChild.textContent, page.querySelector('td').textContent];
    })""")
    order = sorted(range(len(names)), key=lambda number: cases[number]['scene'].encode())
    assert shown == [[f'{names[n]}/{names[n]}'] * 2 + [names[n], f'{names[n]}, {names[n]}'] for n in order]
    tags = browser.value("[...new Set([...document.querySelectorAll('nav *, main *, header *')].map((one) => one.tagName))]")
    assert not {'SCRIPT', 'IMG', 'STYLE', 'TEMPLATE'} & set(tags), tags
    assert browser.value("document.scripts.length") == 2
    assert browser.value("[...document.querySelectorAll('*')].every((one) => one.getAttributeNames().every((name) => !name.startsWith('on')))")


def check_without_scripts(browser, address):
    """Where scripts are off, the page says that it needs them."""
    browser.call('Emulation.setScriptExecutionDisabled', value=True)
    browser.open(address)
    root = browser.call('DOM.getDocument')['root']['nodeId']
    node = browser.call('DOM.querySelector', nodeId=root, selector='noscript p')['nodeId']
    assert 'This page needs scripts.' in browser.call('DOM.getOuterHTML', nodeId=node)['outerHTML']
    browser.call('Emulation.setScriptExecutionDisabled', value=False)


def check_timelines(place, browser):
    """The charts of sessions and gestures look the same on every screen as where librsvg draws them, but for the edges of
    letters."""
    for name in ('gestures-timeline', 'motion-plot'):
        file = os.path.abspath(f'docs/images/{name}.svg')
        width, height = (round(float(number)) for number in re.search(r'width="([\d.]+)" height="([\d.]+)"', open(file).read()).groups())
        for size, scheme in itertools.product((SCREEN, PHONE), ('light', 'dark')):
            browser.dark(scheme == 'dark')
            browser.size(*size)
            browser.open('file://' + urllib.parse.quote(file))
            browser.screenshot(str(place.folder / 'browser.png'), (width, height))
            place.run(0, file, '-o', 'librsvg.png', '--canvas', f'{width}x{height}')
            place.run(0, 'diff', 'browser.png', 'librsvg.png', '--metric', 'yiq', '--threshold', '0.3', '--max-ratio', '0.02')
    browser.dark(False)
    browser.size(*SCREEN)


def check_crops(place, browser, screenshots):
    """The page of crops: one loupe over all pictures, numbers of the pixel under it, and a click that shows the next one."""
    for name, color in [('truth', '#20a040'), ('ours', '#21a03e'), ('theirs', '#40a040')]:
        place.scene(f'{name}.json', color)
        place.run(0, f'{name}.json', '-o', f'{name}.png')
    place.run(0, 'crops', '--reference', 'truth.png', 'ours.png', 'theirs.png', '--region', '70,50,40x30', '--metric', 'psnr',
              '--report', 'crops.html')
    browser.open(place.address('crops.html'))
    browser.until('frame')
    point = browser.value("""(() => {
        const box = methods[1].pane.getBoundingClientRect(), {left, top} = frame.origin;
        return [box.left + 1 + left + 70.5 * frame.scale, box.top + 1 + top + 50.5 * frame.scale];
    })()""")
    browser.mouse('mouseMoved', *point)
    assert browser.value("document.querySelectorAll('.lens:not([hidden])').length") == 3
    assert browser.value("document.querySelector('.place').value") == '70,50'
    pixels = browser.value("[...document.querySelectorAll('.pixel')].map((one) => one.value)")
    assert pixels == ['32 160 64', '33 160 62  (+1 ±0 −2)', '64 160 64  (+32 ±0 ±0)'], pixels
    screenshots('crops')
    browser.value('go(1)')
    part = browser.value("document.querySelector('.part').value")
    left, top, width, height = map(int, re.fullmatch(r'--region (\d+),(\d+),(\d+)x(\d+)', part).groups())
    assert left <= 70 and top <= 50 and left + width >= 110 and top + height >= 80, part
    visible = "[...document.querySelectorAll('figure')].map((one) => getComputedStyle(one).visibility)"
    for wanted in (1, 2, 0):
        for kind in ('mousePressed', 'mouseReleased'):
            browser.mouse(kind, *point, button='left', clickCount=1)
        assert browser.value(visible) == ['visible' if index == wanted else 'hidden' for index in range(3)], wanted
    browser.key('a')
    assert browser.value(visible) == ['visible'] * 3
    browser.key('ArrowRight')
    assert browser.value(visible)[0] == 'visible' and browser.value('single') == 0
    assert not browser.complaints(), browser.complaints()


def check_plain(place):
    """The page has no variables of CSS, which some viewers do not know."""
    text = (place.folder / 'report.html').read_text()
    assert 'var(' not in text and 'prefers-color-scheme: dark' in text


def check_many(place, browser, screenshots):
    """500 failed cases: there soon, one case's pictures at a time, and a key is answered in 50 ms."""
    seconds = browser.open(place.address('many.html'))
    size = (place.folder / 'many.html').stat().st_size
    assert browser.value("document.querySelectorAll('.row .failed').length") == 500
    browser.until("document.querySelectorAll('.picture').length === 3")
    # From the key to the frame in which the next case's pictures are drawn, on the page's own clock.
    browser.value("""addEventListener('keydown', (event) => {
        const answered = () => {
            if (document.querySelectorAll('.picture').length !== 3) return requestAnimationFrame(answered);
            times.push(performance.now() - event.timeStamp);
        };
        requestAnimationFrame(answered);
    }); window.times = []""")
    # Other programs may want the processor too, so the best of three rounds counts.
    rounds = []
    for number in range(3):
        for _ in range(40):
            browser.key('kj'[number % 2 == 0])
            browser.until(f'times.length === {_ + 1}')
        rounds.append(sorted(browser.value('times.splice(0)')))
        if rounds[-1][20] < 50:
            break
    if number == 1:
        for _ in range(40):
            browser.key('j')
        browser.until('times.length === 40')
    times = min(rounds, key=lambda round: round[20])
    assert browser.value('document.querySelectorAll(".pane .picture").length') == 3, 'no picture but those of the open case'
    assert browser.value("shownRows().indexOf(openRow)") == 40
    browser.until("document.querySelectorAll('.thumbnail canvas').length > 10")
    assert browser.value("[...document.querySelectorAll('.thumbnail canvas')].every(({width}) => width === 160)")
    screenshots('many')
    print(f'500 failed cases: {size / 1e6:.1f} MB, read in {seconds:.2f} s, a key is answered in {times[20]:.0f} ms, the slowest of 40 in {times[-1]:.0f} ms')
    assert seconds < 20 and times[20] < 50, (seconds, times)


def check_looks(browser, screenshots):
    """Every view in light and in dark, on a screen and on a phone; what is written can be read."""
    papers = []
    for size in (SCREEN, PHONE):
        browser.size(*size)
        for scheme in ('light', 'dark'):
            browser.dark(scheme == 'dark')
            papers.append(browser.value('getComputedStyle(document.body).backgroundColor'))
            expect_contrast(browser)
            for key, name in [('1', 'side'), ('2', 'slider'), ('3', 'blink'), ('4', 'difference')]:
                browser.key(key)
                expect_fitting(browser)
                screenshots(f'{name}-{scheme}-{size[0]}')
    assert papers[0] != papers[1]
    browser.size(*SCREEN)
    browser.dark(False)
    browser.key('1')


def expect_contrast(browser):
    """Text and its ground differ by 4.5 to 1 or more, as the accessibility guidelines ask for."""
    bad = browser.value("""(() => {
        const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
        const light = (color) => {
            const [r, g, b] = color.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const found = [];
        for (const one of document.querySelectorAll('header *, nav *, main *, footer *')) {
            const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
            if (!own || one.getClientRects().length === 0 || one.closest('[aria-hidden], .pane, :disabled')) continue;
            let ground = one;
            while (ground && (numbers(getComputedStyle(ground).backgroundColor)[3] ?? 1) === 0) ground = ground.parentElement;
            const back = light(numbers(getComputedStyle(ground ?? document.body).backgroundColor));
            const ink = light(numbers(getComputedStyle(one).color));
            const ratio = (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05);
            if (ratio < 4.5) found.push(`${one.tagName}.${one.className}: ${ratio.toFixed(2)}`);
        }
        return found;
    })()""")
    assert bad == [], bad


def check_peace(browser, address):
    assert browser.complaints() == [], browser.complaints()
    assert set(browser.requests()) == {address}, browser.requests()


@contextlib.contextmanager
def kept_on_failure(browser):
    """Leaves a picture of what the browser shows where a check fails."""
    try:
        yield
    except Exception:
        os.makedirs('test-failures', exist_ok=True)
        browser.screenshot('test-failures/report.png')
        raise


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None

    def screenshots(name):
        if folder:
            os.makedirs(folder, exist_ok=True)
            browser.screenshot(os.path.join(folder, f'report-{name}.png'))

    browser = Browser(shutil.which('chromium'))
    try:
        with tempfile.TemporaryDirectory(prefix='loupe-report-') as work, kept_on_failure(browser):
            place = Workplace(program, work)
            place.make_cases()
            place.run(1, 'verify', 'cases', '--report', 'report.html')
            browser.open(place.address('report.html'))
            browser.size(*SCREEN)
            for check in (check_list, check_filters, check_thumbnails):
                check(browser)
            check_single(place, browser, screenshots)
            check_pictures(place, browser)
            check_reload(browser, place.address('report.html'))
            browser.open(place.address('report.html'))
            browser.until("document.querySelector('main h2')")
            for check in (check_help, check_zoom, check_slider, check_blink, check_lens):
                check(browser)
            check_phone(browser, place.address('report.html'), screenshots)
            browser.open(place.address('report.html'))
            browser.until("document.querySelector('.viewer')")
            check_looks(browser, screenshots)
            accepted = accept(browser, place.folder / 'downloads')
            screenshots('accepted')
            browser.dark(False)
            check_peace(browser, place.address('report.html'))
            check_without_scripts(browser, place.address('report.html'))
            check_merged(place, browser)
            check_hostile(place, browser)
            check_peace(browser, place.address('hostile.html'))
            check_plain(place)
            check_crops(place, browser, screenshots)
            check_timelines(place, browser)
            check_applying(place, accepted)
            place.make_many(500)
            check_many(place, browser, screenshots)
            check_peace(browser, place.address('many.html'))
    finally:
        browser.close()


main()
