"""The pages of `loupe-render verify` and `bench`, as a person uses them. See tools/test-report."""
import contextlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from devtools import Browser

# A browser would take this for markup if it were not escaped.
SUITE = '<b onclick="x">it\'s & \u0436'
SIZE = (240, 180)


class Workplace:
    """A folder with scenes of every state, and the command that verifies them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def scene(self, path, color='#20a040', x=60):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        layer = {'fill': color, 'rect': [x, 40, 110, 90], 'corner': {'radius': 24, 'exponent': 4}}
        loupe = {'center': [120, 80], 'radius': 40, 'zoom': 4, 'focus': [x, 40]}
        file.write_text(json.dumps({'canvas': {'width': SIZE[0], 'height': SIZE[1]}, 'layers': [layer], 'loupes': [loupe]}))

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
        """As many failed cases: the references are those of another scene."""
        for number in range(count):
            self.scene(f'many/s{number % 7}/case-{number:03}.json', x=50 + number % 37)
        self.run(1, 'verify', 'many', '--update', 'all')
        for number in range(count):
            self.scene(f'many/s{number % 7}/case-{number:03}.json', x=51 + number % 37)
        self.run(1, 'verify', 'many', '--report', 'many.html', '--quiet')


def transforms(browser):
    return browser.value("[...document.querySelectorAll('.pane img')].map((image) => image.style.transform)")


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
    browser.key('f')
    for letter in 'miss':
        browser.key(letter)
    assert browser.value("document.querySelector('output[name=shown]').value") == '1 of 5'
    browser.value("document.querySelector('#filters').reset()")
    browser.value("document.querySelector('[name=suite]').value = 'plain'; applyFilters()")
    assert browser.value("document.querySelector('output[name=shown]').value") == '2 of 5'
    browser.value("document.querySelector('[name=suite]').value = ''")
    browser.value("document.querySelector('[name=state]').value = 'passed'; applyFilters()")
    assert browser.value("document.querySelector('output[name=shown]').value") == '2 of 5'
    browser.value("document.querySelector('[name=state]').value = ''; applyFilters()")
    browser.key('Escape')


def check_help(browser):
    browser.key('?')
    assert browser.value("document.getElementById('help').open")
    browser.key('Escape')
    browser.until("!document.getElementById('help').open")


def check_zoom(browser):
    """All three pictures show the same part at the same scale, in squares."""
    browser.key('1')
    before = transforms(browser)
    assert len(before) == 3 and len(set(before)) == 1, before
    for act in [lambda: browser.key('+'), lambda: browser.key('ArrowRight', shift=True), lambda: wheel(browser, -100),
                lambda: drag_pane(browser), lambda: browser.click('.box')]:
        act()
        after = transforms(browser)
        assert len(set(after)) == 1 and after != before, after
        before = after
    assert 'scale(' in before[0]
    rendering = "getComputedStyle(document.querySelector('.pane img')).imageRendering"
    assert browser.value(rendering) == 'pixelated'
    browser.key('0')
    assert browser.value('viewer.frame.scale') == 1


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
    """`report merge` makes the same page from the JSON of two shares."""
    for index in '12':
        place.run(1, 'verify', 'cases', '--shard', f'{index}/2', '--json', f'{index}.json', '--json-pictures', '--quiet')
    place.run(1, 'report', 'merge', '1.json', '2.json', '--report', 'merged.html', '--quiet')
    browser.open(place.address('merged.html'))
    assert browser.value("document.querySelectorAll('.row').length") == 5
    browser.until("document.querySelectorAll('.pane img').length === 3")
    place.run(73, 'report', 'merge', '1.json', '2.json', '--report', 'none/merged.html', '--quiet')
    place.run(73, 'report', 'merge', '1.json', '2.json', '--report', '/dev/full', '--quiet')


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
    results = {'format': 'loupe-verify/1', 'milliseconds': 1, 'shards': ['1/1'], 'obsolete': names[:9], 'cases': cases}
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


def check_bench(place, browser, screenshots):
    """The page of `bench`: a curve with a point for each step, bars, values that show on hover, and the tables."""
    place.run(0, 'bench', '--quick', '--radius', '40', '--zoom', '2', '--canvas', '400x400', '--only', 'pieces/*edge*',
              '--device', 'cpu', '--report', 'bench.html', '--quiet')
    browser.open(place.address('bench.html'))
    assert browser.value("document.querySelectorAll('svg').length") == 2
    assert browser.value("document.querySelectorAll('polyline.curve.pieces').length") == 1
    points = browser.value("[...document.querySelectorAll('circle.pieces title')].map((one) => one.textContent)")
    assert len(points) == 5 and points[3].startswith('pieces/sweep-edge/step:03/radius:40/zoom:2/linear\n'), points
    bars = browser.value("[...document.querySelectorAll('rect.pieces')].map((one) => one.width.baseVal.value)")
    assert len(bars) == 2 and max(bars) == 600, bars
    texts = browser.value("[...document.querySelectorAll('svg text')].map((one) => one.textContent)")
    assert {'no-edge', 'single-edge', 'milliseconds per loupe', 'no-edge pieces'} <= set(texts), texts
    assert 'device: ' in browser.value("document.getElementById('numbers').textContent")
    assert browser.value("document.title === document.querySelector('h1').textContent")
    screenshots('bench')


def check_many(place, browser, screenshots):
    """500 failed cases: the page is there soon, holds the pictures of one case at a time, and follows the keys."""
    seconds = browser.open(place.address('many.html'))
    size = (place.folder / 'many.html').stat().st_size
    assert browser.value("document.querySelectorAll('.row').length") == 500
    browser.until("document.querySelectorAll('.pane img').length === 3")
    start = time.monotonic()
    for _ in range(40):
        browser.key('j')
    step = (time.monotonic() - start) / 40
    assert browser.value('document.images.length') == 3, 'no picture but those of the open case'
    assert browser.value("rows.indexOf(openRow)") == 40
    assert seconds < 20 and step < 0.5, (seconds, step)
    screenshots('many')
    print(f'500 failed cases: {size / 1e6:.1f} MB, read in {seconds:.2f} s, {step * 1000:.0f} ms a case')


def check_looks(browser, screenshots):
    """Every view in light and in dark."""
    papers = []
    for scheme in ('light', 'dark'):
        browser.dark(scheme == 'dark')
        papers.append(browser.value('getComputedStyle(document.body).backgroundColor'))
        for key, name in [('1', 'side'), ('2', 'slider'), ('3', 'blink')]:
            browser.key(key)
            screenshots(f'{name}-{scheme}')
    assert papers[0] != papers[1]
    browser.key('1')


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
            check_list(browser)
            browser.open(place.address('report.html'))
            browser.until("document.querySelector('main h2')")
            for check in (check_help, check_zoom, check_slider, check_blink):
                check(browser)
            check_looks(browser, screenshots)
            accepted = accept(browser, place.folder / 'downloads')
            screenshots('accepted')
            browser.dark(False)
            check_peace(browser, place.address('report.html'))
            check_without_scripts(browser, place.address('report.html'))
            check_merged(place, browser)
            check_hostile(place, browser)
            check_peace(browser, place.address('hostile.html'))
            check_bench(place, browser, screenshots)
            check_peace(browser, place.address('bench.html'))
            check_without_scripts(browser, place.address('bench.html'))
            check_applying(place, accepted)
            place.make_many(500)
            check_many(place, browser, screenshots)
            check_peace(browser, place.address('many.html'))
    finally:
        browser.close()


main()
