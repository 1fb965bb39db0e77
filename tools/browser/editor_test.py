"""The editor of figures, as a person uses it, and what comes out of it.

    python3 tools/browser/editor_test.py COMMAND [--firefox] [--rate]

--firefox repeats two pages in Firefox; --rate only measures how fast a loupe follows a drag.
"""
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from devtools import Browser
from live_test import Pages, write_png
from marionette import Firefox

LIGHT = pathlib.Path('examples/pages/interface-light.png')
PICTURES = pathlib.Path('reference-images/pages')


class Editing:
    """A running `loupe-render edit`."""

    def __init__(self, pages, *arguments, folder=None):
        self.process = subprocess.Popen(
            [pages.program, 'edit', *map(str, arguments), '--no-browser'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, cwd=folder)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith('http://127.0.0.1:'), (self.address, self.process.stderr.read())
        self.host = self.address.split('/')[2]
        self.path = '/' + self.address.split('/', 3)[3]

    def ask(self, text):
        """Sends bytes, and returns the status and all of the answer."""
        with socket.create_connection(('127.0.0.1', int(self.host.split(':')[1])), timeout=30) as connection:
            connection.sendall(text if isinstance(text, bytes) else text.encode())
            answer = b''
            with contextlib.suppress(ConnectionResetError):
                while part := connection.recv(1 << 16):
                    answer += part
        return int(answer.split(b' ', 2)[1]) if answer else 0, answer

    def end(self):
        """Ends it as Ctrl-C does; returns the command that it prints, and what it has said."""
        self.process.send_signal(signal.SIGINT)
        command, errors = self.process.communicate(timeout=20)
        assert self.process.returncode == 0, (self.process.returncode, errors)
        return command.strip(), errors


# The page

def settled(browser):
    """Waits until every action is answered; returns the state."""
    browser.until('!isAsking && waiting.length === 0 && state.command !== undefined')
    return browser.value('state')


def screen(browser, x, y):
    """A point of the picture on the screen."""
    left, top, width, height = browser.value("(({x, y, width, height}) => [x, y, width, height])(document.getElementById('canvas').getBoundingClientRect())")
    across, down = browser.value('state.canvas')
    return left + x * width / across, top + y * height / down


def drag(browser, start, end):
    browser.drag(*screen(browser, *start), *screen(browser, *end))
    return settled(browser)


def of_page(state, across, down):
    """A part of the page, as a point of the picture."""
    page = state['page']
    return page['x'] + across * page['width'], page['y'] + down * page['height']


def middle(box):
    return box['x'] + box['width'] / 2, box['y'] + box['height'] / 2


def press(browser, key, ctrl=False, shift=False):
    browser.call('Input.dispatchKeyEvent', type='keyDown', key=key, modifiers=(2 if ctrl else 0) + (8 if shift else 0),
                 windowsVirtualKeyCode=ord(key.upper()) if len(key) == 1 else 46)
    browser.call('Input.dispatchKeyEvent', type='keyUp', key=key)
    return settled(browser)


def fill(browser, name, value):
    """Fills a field of the panel as a person does."""
    browser.value(f'''(() => {{
        const field = byId({json.dumps(name)});
        if (field.type === 'checkbox') field.checked = {json.dumps(value)}; else field.value = {json.dumps(value)};
        field.dispatchEvent(new Event('change', {{bubbles: true}}));
    }})()''')
    return settled(browser)


def told(browser):
    return browser.value("byId('told').textContent")


def same(pages, browser, picture):
    """What the page shows is a picture, to the bit where it is opaque: browsers round translucent colours."""
    size = browser.value('state.canvas')
    write_png(pages.folder / 'frame.png', *size, browser.pixels('#canvas'))
    passes, text = pages.compare(picture, pages.folder / 'frame.png', '--tolerance', '0')
    if not passes and 'transparent' in str(picture):
        passes, text = pages.compare(picture, pages.folder / 'frame.png', '--tolerance', '2')
    assert passes, text


def run_command(pages, command, folder, name):
    """Runs a printed command in a shell, with another output of the same kind; returns its bytes."""
    words = shlex.split(command)
    assert words[0] == 'loupe-render', command
    words[words.index('-o') + 1] = name
    line = shlex.quote(pages.program) + ' ' + ' '.join(map(shlex.quote, words[1:]))
    done = subprocess.run(['sh', '-c', line], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, f'{command}\n{done.stderr}'
    return (folder / name).read_bytes()


# Ten pages

def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def deep_png(path):
    """A gradient of 16 bits a channel."""
    rows = b''.join(b'\0' + b''.join(struct.pack('>HHH', x * 90, y * 150, 20000) for x in range(640)) for y in range(400))
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 640, 400, 16, 2, 0, 0, 0))
                     + chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b''))


def large_png(path):
    """A page of 50 megapixels with a pattern that has details everywhere."""
    width, height = 8000, 6250
    row = b'\0' + bytes((x * 7 ^ x >> 4) & 255 for x in range(width))
    rows = b''.join(row[:1] + row[1 + y % 97:] + row[1:1 + y % 97] for y in range(height))
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 0, 0, 0, 0))
                     + chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b''))


def ten_pages(pages, folder):
    """The pages' names, each with the ending of what is saved."""
    shutil.copy(LIGHT, folder / 'light.png')
    shutil.copy('examples/pages/interface-dark.png', folder / 'dark.png')
    shutil.copy(PICTURES / 'photograph-2048.png', folder / 'photograph.png')
    shutil.copy(PICTURES / 'diagram.svg', folder / 'diagram.svg')
    assert pages.run(PICTURES / 'diagram.svg', '-o', folder / 'plot.pdf', '--no-metadata').returncode == 0
    assert pages.run(PICTURES / 'interface-2048.png', '--canvas', '390x844', '--margin', '20', '-o', folder / 'phone.png',
                     '--no-metadata').returncode == 0
    deep_png(folder / 'deep.png')
    shutil.copy('examples/pages/sprite.png', folder / 'tiny.png')
    large_png(folder / 'large.png')
    shutil.copy('Tests/LoupeImagingTests/Fixtures/turned-6.jpg', folder / 'turned.jpg')
    return [('light.png', 'png'), ('dark.png', 'pdf'), ('photograph.png', 'png'), ('diagram.svg', 'svg'), ('plot.pdf', 'pdf'),
            ('phone.png', 'svg'), ('deep.png', 'png'), ('tiny.png', 'png'), ('large.png', 'png'), ('turned.jpg', 'svg')]


def check_page(pages, browser, folder, name, ending):
    """One rectangle, one click, a drag, and Save: the file is that of the printed command, and the page shows its pixels."""
    output = f'{pathlib.Path(name).stem}-figure.{ending}'
    editing = Editing(pages, name, '-o', output, folder=folder)
    browser.open(editing.address)
    state = settled(browser)
    state = drag(browser, of_page(state, 0.2, 0.25), of_page(state, 0.42, 0.4))
    assert len(state['loupes']) == 1 and state['loupes'][0]['region'], (name, state['loupes'], told(browser))
    state = drag(browser, of_page(state, 0.72, 0.8), of_page(state, 0.72, 0.8))
    assert len(state['loupes']) == 2, (name, told(browser))
    start = middle(state['loupes'][0]['source'])
    state = drag(browser, start, (start[0] + 0.05 * state['page']['width'], start[1]))
    assert len(state['loupes']) == 2, name
    browser.value("byId('save').click()")
    settled(browser)
    command, _ = editing.end()
    saved = (folder / output).read_bytes()
    assert saved == run_command(pages, command, folder, f'again.{ending}'), f'{name}: not the bytes of {command}'
    # The screen has 8 bits, and the driver no room for 50 megapixels.
    if ending == 'png' and name not in ('deep.png', 'large.png'):
        same(pages, browser, folder / output)
    if isinstance(browser, Browser):
        assert browser.complaints() == [], browser.complaints()
    print(f'editor: {name}: {command}', flush=True)
    return command


def check_ten_pages(pages, browser, only=None):
    folder = pages.folder / 'ten'
    folder.mkdir(exist_ok=True)
    for name, ending in ten_pages(pages, folder):
        if only is None or name in only:
            check_page(pages, browser, folder, name, ending)


# What the hand, the keys and the panel do

def check_hand(pages, browser):
    editing = Editing(pages, LIGHT, '--callout', '150,330@420,180', '--radius', '80', '--zoom', '3', '-o', pages.folder / 'hand.png')
    browser.open(editing.address)
    state = settled(browser)
    assert browser.complaints() == [], browser.complaints()
    state = drag(browser, (420, 180), (390, 210))
    assert '@390,210' in state['command'], state['command']
    start = middle(state['loupes'][0]['source'])
    state = drag(browser, start, (start[0] + 50, start[1] - 20))
    assert "--callout '200,310@390,210'" in state['command'] or '--callout 200,310@390,210' in state['command'], state['command']
    box = state['loupes'][0]['outline']
    corner = 0.5 ** 0.5 * box['width'] / 2
    (x, y), reach = middle(box), corner * 1.25
    state = drag(browser, (x + corner, y + corner), (x + reach, y + reach))
    assert abs(state['loupes'][0]['outline']['width'] - 200) <= 2, state['loupes'][0]
    assert 'radius=100' in state['command'], state['command']
    steps = len(browser.value('state.command'))
    state = press(browser, 'z', ctrl=True)
    assert 'radius=100' not in state['command'] and steps, state['command']
    state = press(browser, 'z', ctrl=True, shift=True)
    assert 'radius=100' in state['command'], state['command']
    browser.value("focusHandle('loupe')")
    state = press(browser, 'ArrowRight')
    state = press(browser, 'ArrowRight')
    assert '@410,210' in state['command'], state['command']
    state = press(browser, 'z', ctrl=True)
    assert '@390,210' in state['command'], 'arrows of a kind are undone together'
    state = press(browser, 'Delete')
    assert state['loupes'] == [] and '--zoom' not in state['command'], state['command']
    state = press(browser, 'z', ctrl=True)
    assert len(state['loupes']) == 1
    # Beside the page, a loupe stands where the command puts it.
    state = press(browser, 'n')
    assert len(state['loupes']) == 2, told(browser)
    editing.end()


def check_panel(pages, browser):
    """Every field changes the command, and what the page shows is the command's picture."""
    output = pages.folder / 'panel.png'
    editing = Editing(pages, LIGHT, '--callout', '100,80..220,160', '-o', output)
    browser.open(editing.address)
    settled(browser)
    browser.value('select(0)')
    for name, value, words in [
        ('zoom', '2.5', 'zoom=2.5'), ('connector', 'arrow', 'connector=arrow'), ('letters', 'A', '--letters=A'),
        ('accent', 'teal', '--accent teal'), ('place', 'beside', '--place beside'), ('loupe-rim-width', '6', 'rim=6'),
        ('figure-margin', '30', '--margin 30'), ('figure-frame', 'dark', '--frame=dark'), ('figure-zoom-label', True, '--zoom-label'),
        ('loupe-shadow-blur', '12', 'shadow=12'), ('loupe-label', 'x', 'label=x'), ('figure-background', '', ''),
    ]:
        state = fill(browser, name, value)
        assert words in state['command'], (name, state['command'], told(browser))
    state = fill(browser, 'loupe-rim-width', '-3')
    assert 'rim=6' in state['command'] and 'out of range' in told(browser), (state['command'], told(browser))
    browser.value("[...document.querySelectorAll('[name=shape]')].find((one) => one.value === 'circle').click()")
    assert 'shape=circle' in settled(browser)['command']
    browser.click('#save')
    settled(browser)
    assert 'is saved' in told(browser), told(browser)
    same(pages, browser, output)
    # The command's own flags are kept, and a typed command is drawn.
    text = f'loupe-render {shlex.quote(str(LIGHT))} -o {shlex.quote(str(output))} --callout 50%,50% --width 85mm --dpi 200 --letters'
    browser.value(f"byId('command').value = {json.dumps(text)}; ask({{do: 'command', text: byId('command').value}})")
    state = settled(browser)
    assert '--width 85mm --dpi 200' in state['command'] and state['canvas'][0] == 669, (state['command'], state['canvas'], told(browser))
    press(browser, 's', ctrl=True)
    same(pages, browser, output)
    for wrong, sentence in [('loupe-render other.png --at 1,1', 'start another'), ("loupe-render 'x", 'quote'), ('rm -rf x', 'begins with'),
                            (f'loupe-render {LIGHT} --callout 1,1 --zoom 99', 'out of range'), (f'loupe-render {LIGHT} --nothing', 'nothing')]:
        before = browser.value('state.command')
        browser.value(f"ask({{do: 'command', text: {json.dumps(wrong)}}})")
        assert settled(browser)['command'] == before, wrong
        assert sentence in told(browser), (wrong, told(browser))
    editing.end()


def check_going_on(pages, browser):
    """A figure goes on where it was left, in every format, and only a file that was named is replaced."""
    folder = pages.folder / "fig's"
    folder.mkdir()
    shutil.copy(LIGHT, folder / 'my figure.png')
    editing = Editing(pages, 'my figure.png', folder=folder)
    browser.open(editing.address)
    state = settled(browser)
    drag(browser, of_page(state, 0.2, 0.2), of_page(state, 0.4, 0.4))
    browser.click('#save')
    settled(browser)
    # Another browser gets nothing.
    assert editing.ask(f'GET {editing.path} HTTP/1.1\r\nHost: {editing.host}\r\n\r\n')[0] == 403
    command, errors = editing.end()
    assert 'saved my figure-loupe.png' in errors, errors
    done = subprocess.run([pages.program, 'edit', 'my figure.png', '--no-browser'], capture_output=True, text=True, cwd=folder,
                          timeout=60)
    assert done.returncode == 73 and 'there already' in done.stderr, done
    before = (folder / 'my figure.png').read_bytes()
    assert pages.run('edit', folder / 'my figure.png', '-o', folder / 'my figure.png', '--no-browser').returncode == 64
    assert (folder / 'my figure.png').read_bytes() == before
    for name in ('my figure-loupe.png', 'figure.pdf', 'figure.svg'):
        if not (folder / name).exists():
            run_command(pages, command, folder, name)
        editing = Editing(pages, name, folder=folder)
        browser.open(editing.address)
        assert shlex.split(settled(browser)['command'])[4:] == shlex.split(command)[4:], (name, browser.value('state.command'))
        editing.end()
    # The scene alone, and a page that closes.
    editing = Editing(pages, 'my figure.png', '-o', 'scene.json', '--callout', '30%,30%', folder=folder)
    browser.open(editing.address)
    settled(browser)
    browser.click('#save')
    settled(browser)
    browser.open('about:blank')
    assert editing.process.wait(timeout=20) == 0
    assert editing.process.stdout.read().strip().endswith('--print-scene > scene.json')
    assert json.loads((folder / 'scene.json').read_text())['loupes']
    assert pages.run('edit', folder / 'my figure.png', '-o', folder.parent / 'elsewhere.json', '--no-browser').returncode == 64


def check_hostile_requests(pages):
    """A client that is not the page gets nothing, holds nobody up, and writes nothing."""
    folder = pages.folder / 'hostile'
    folder.mkdir()
    shutil.copy(LIGHT, folder / 'figure.png')
    editing = Editing(pages, folder / 'figure.png')
    host = f'Host: {editing.host}\r\n'
    get = f'GET {editing.path} HTTP/1.1\r\n'
    assert editing.ask(f'{get}Host: evil.example\r\n\r\n')[0] == 421
    assert editing.ask(f'{get}{host}Origin: http://evil.example\r\n\r\n')[0] == 403
    assert editing.ask(f'GET / HTTP/1.1\r\n{host}\r\n')[0] == 404
    assert editing.ask(f'GET {editing.path[:-2]}x/ HTTP/1.1\r\n{host}\r\n')[0] == 404
    assert editing.ask(b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n')[0] == 400
    assert editing.ask(b'A' * 20000)[0] == 431
    post = f'POST {editing.path}do HTTP/1.1\r\n{host}Origin: http://{editing.host}\r\nContent-Type: application/json\r\n'
    assert editing.ask(post + 'Content-Length: 2\r\n\r\n{}')[0] == 403
    assert editing.ask(post + 'Content-Length: 99999999\r\n\r\n')[0] == 413
    # More connections than are allowed, which say nothing: those that do are answered as soon as these are given up.
    silent = [socket.create_connection(('127.0.0.1', int(editing.host.split(':')[1]))) for _ in range(40)]
    began = time.monotonic()
    status, page = editing.ask(f'{get}{host}\r\n')
    assert status == 200 and time.monotonic() - began < 60, (status, time.monotonic() - began)
    for one in silent:
        one.close()
    head = page.split(b'\r\n\r\n', 1)[0].decode()
    cookie = [line.split(': ', 1)[1].split(';')[0] for line in head.split('\r\n') if line.startswith('Set-Cookie')][0]
    assert 'HttpOnly; SameSite=Strict' in head, head
    assert editing.ask(f'{get}{host}\r\n')[0] == 403
    post += f'Cookie: {cookie}\r\n'
    for action in ('{}', '[', '{"do": "rm"}', '{"do": "add"}', '{"do": "drag", "loupe": 99}', '{"do": "delete", "loupe": 7}',
                   '{"do": "set", "option": "margin", "value": "1e999"}', '{"do": "add", "at": [1e400, 0]}', '{"do": "add", "at": [1, 1], "x": 1}',
                   '{"do": "command", "text": "loupe-render /etc/passwd -o /etc/passwd"}'):
        assert editing.ask(f'{post}Content-Length: {len(action)}\r\n\r\n{action}')[0] == 422, action
    assert os.listdir(folder) == ['figure.png']
    # A file that has come in the meantime is neither replaced nor followed.
    save = '{"do": "save"}'
    for make in (lambda path: path.write_text('mine'), lambda path: path.symlink_to('figure.png'), os.mkfifo):
        before = (folder / 'figure.png').read_bytes()
        make(folder / 'figure-loupe.png')
        status, answer = editing.ask(f'{post}Content-Length: {len(save)}\r\n\r\n{save}')
        assert status == 422, answer
        assert (folder / 'figure.png').read_bytes() == before
        os.remove(folder / 'figure-loupe.png')
    editing.end()
    assert os.listdir(folder) == ['figure.png']


FORTY = [
    (LIGHT, options) for options in (
        '--callout 30%,30%', '--callout 30%,30% --callout 70%,60%', '--callout 100,80..220,160', '--callout 100,80..220,160 --place beside',
        '--callout 30%,30%@70%,70% --connector cone', '--callout 30%,30%@70%,70% --connector arrow --accent teal', '--at 200,200 --zoom 3',
        '--at 40,40 --corner 40 --margin 30', '--at 40,40 --corner 40 --margin 30 --blending linear', '--callout 40%,40% --frame',
        '--callout 40%,40% --frame=#204060..#406080', '--callout 40%,40% --letters', '--callout 40%,40% --zoom-label --pixel-size 0.65um',
        '--callout 40%,40% --width 85mm --dpi 300', '--callout 40%,40% --scale 2', '--callout 40%,40% --canvas 500x500',
        '--callout 40%,40% --plain', '--callout 40%,40% --opacity 0.5', '--callout 40%,40% --filter nearest --grid --mark',
        '--callout 40%,40% --background transparent --margin 20', '--callout 40%,40% --compare-with examples/pages/interface-dark.png',
        '--callout 40%,40% --versus examples/pages/interface-dark.png', '--callout 40%,40% --shadow-blur 40 --rim-width 8', '--callout 40%,40% --reference')
] + [
    (page, options) for page in (PICTURES / 'photograph.png', 'examples/pages/plot-transparent.png', PICTURES / 'diagram.svg', 'examples/pages/sprite.png')
    for options in ('', '--callout 40%,40%', '--callout 20%,20%..40%,35% --letters', '--at 50%,50% --zoom 8')
]


def check_forty_figures(pages):
    """Forty figures: the pixels that the page gets are those of the file that is saved, to the bit."""
    for number, (page, words) in enumerate(FORTY):
        output = pages.folder / f'forty-{number}.png'
        editing = Editing(pages, page, *words.split(' ') if words else [], '-o', output)
        answer = editing.ask(f'GET {editing.path} HTTP/1.1\r\nHost: {editing.host}\r\n\r\n')[1].decode()
        cookie = answer.split('Set-Cookie: ')[1].split(';')[0]

        def act(action):
            status, answer = editing.ask(
                f'POST {editing.path}do HTTP/1.1\r\nHost: {editing.host}\r\nOrigin: http://{editing.host}\r\nCookie: {cookie}\r\n'
                f'Content-Type: application/json\r\nContent-Length: {len(action)}\r\n\r\n{action}')
            body = answer.split(b'\r\n\r\n', 1)[1]
            assert status == 200, body
            length = struct.unpack('<I', body[:4])[0]
            return json.loads(body[4:4 + length]), body[4 + length:]

        state, pixels = act('{"do": "open"}')
        act('{"do": "save"}')
        write_png(pages.folder / 'sent.png', *state['canvas'], pixels)
        passes, text = pages.compare(output, pages.folder / 'sent.png', '--tolerance', '0')
        assert passes, (page, words, text)
        editing.end()
    print(f'editor: {len(FORTY)} figures have the bits that the page got', flush=True)


def check_narrow(pages, browser):
    """On a phone nothing is wider than the screen."""
    browser.size(400, 800)
    editing = Editing(pages, LIGHT, '--callout', '40%,40%', '-o', pages.folder / 'narrow.png')
    browser.open(editing.address)
    settled(browser)
    assert browser.value('document.documentElement.scrollWidth') <= 400
    browser.call('Emulation.clearDeviceMetricsOverride')
    editing.end()


def check_refusals(pages):
    for arguments, code in [(('no such.png',), 66), (('-',), 64), ((LIGHT, '--print-scene'), 64), ((LIGHT, '-o', '-'), 64),
                            (('examples/pages/ruled.json', '-o', pages.folder / 'x.png'), 65), ((LIGHT, '--port', '0'), 64)]:
        assert pages.run('edit', *arguments, '--no-browser').returncode == code, arguments


def rate(pages, browser):
    """How fast a loupe follows a drag on a page of 2048×1536: frames a second, and from event to pixels."""
    editing = Editing(pages, PICTURES / 'interface-2048.png', '--callout', '700,500@1300,900', '-o', pages.folder / 'rate.png')
    browser.open(editing.address)
    settled(browser)
    times = browser.value('''(async () => {
        const [x, y] = middle(state.loupes[0].outline);
        let step = 0;
        const next = () => ask({
            do: 'drag', loupe: 0, part: 'loupe', from: [x, y], to: [x + 300 * Math.sin(step / 19), y - 200 * Math.sin(step / 13)],
            first: step++ === 0, gesture: 'rate', snaps: true, reach: 6,
        });
        // One after another: from event to pixels. Then as a mouse that moves all the time: frames.
        const times = [];
        for (let count = 0; count < 60; count++) {
            const start = performance.now();
            const shown = new Promise((keep) => document.addEventListener('loupechange', keep, {once: true}));
            next();
            await shown;
            times.push(performance.now() - start);
        }
        let frames = 0;
        document.addEventListener('loupechange', () => frames++);
        const mouse = setInterval(next, 16);
        await new Promise((keep) => setTimeout(keep, 3000));
        clearInterval(mouse);
        return [frames / 3, times];
    })()''')
    editing.end()
    ordered = sorted(times[1])
    print(f'{times[0]:.0f} frames a second; from event to pixels {statistics.median(ordered):.0f} ms, '
          f'{ordered[int(0.95 * len(ordered))]:.0f} ms at the 95th percentile')


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Browser('chromium', 1800, 1300)) as browser:
        pages = Pages(program, folder)
        if '--rate' in sys.argv:
            return rate(pages, browser)
        check_refusals(pages)
        check_hand(pages, browser)
        check_panel(pages, browser)
        check_going_on(pages, browser)
        check_narrow(pages, browser)
        check_hostile_requests(pages)
        check_forty_figures(pages)
        check_ten_pages(pages, browser)
        if '--firefox' in sys.argv:
            with contextlib.closing(Firefox()) as firefox:
                check_ten_pages(pages, firefox, only=['light.png', 'diagram.svg'])
                print('editor: Firefox, too')
    print('editor: all passed')


if __name__ == '__main__':
    main()
