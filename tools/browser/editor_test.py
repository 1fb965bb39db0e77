"""The editor of figures, as a person uses it, and what comes out of it. See tools/browser/live."""
import base64
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from devtools import Browser
from live_test import Pages, box, frame, write_png

PAGE = 'examples/pages/interface-light.png'
CALLOUT = ('--callout', '150,330@420,180', '--radius', '80', '--zoom', '3')
FIGURE = "document.getElementById('loupe')"


def editor(browser):
    return browser.value(f'{FIGURE}.editor')


def fields(browser):
    return editor(browser)['fields']


def place(browser, x, y):
    """A canvas point on the screen."""
    left, top, width, height = box(browser)
    natural = browser.value(f'{FIGURE}.natural')
    return left + x * width / natural[0], top + y * height / natural[1]


def drag(browser, start, end):
    browser.drag(*place(browser, *start), *place(browser, *end))


def handle(browser, part):
    found = [one for one in editor(browser)['handles'] if one['part'] == part]
    assert found, f'no handle for {part}'
    return found[0]['x'], found[0]['y']


def press(browser, key, ctrl=False, shift=False):
    browser.call('Input.dispatchKeyEvent', type='keyDown', key=key, modifiers=(2 if ctrl else 0) + (8 if shift else 0),
                 windowsVirtualKeyCode=ord(key.upper()) if len(key) == 1 else 46)
    browser.call('Input.dispatchKeyEvent', type='keyUp', key=key)


def set_field(browser, name, value):
    """Fills a field of the panel as a person does, and waits for nothing: the page answers at once."""
    browser.value(f'''(() => {{
        const fields = [...document.querySelectorAll('[data-field={json.dumps(name)}]')];
        const field = fields.find((one) => one.type !== 'radio' || one.value === {json.dumps(value)});
        if (field.disabled) throw new Error('{name} is disabled');
        if (field.type === 'radio') field.checked = true;
        else if (field.type === 'checkbox') field.checked = {json.dumps(value)};
        else field.value = {json.dumps(str(value))};
        field.dispatchEvent(new Event('change', {{bubbles: true}}));
    }})()''')


def click(browser, selector):
    browser.value(f'document.querySelector({json.dumps(selector)}).click()')


def same(pages, browser, reference, *limits):
    """The frame against a picture."""
    width, height, pixels = frame(browser)
    write_png(pages.folder / 'frame.png', width, height, pixels)
    passes, text = pages.compare(reference, pages.folder / 'frame.png', *(limits or ('--tolerance', '2')))
    assert passes, text


def draw_command(pages, browser, *limits):
    """Runs the editor's command in a shell, and compares its picture with the frame."""
    state = editor(browser)
    command = state['command']
    assert command.startswith('loupe-render '), command
    words = shlex.split(command)
    output = pages.folder / 'drawn.png'
    words[words.index('-o') + 1] = str(output)
    line = shlex.quote(pages.program) + ' ' + ' '.join(map(shlex.quote, words[1:]))
    done = subprocess.run(['sh', '-c', line], capture_output=True, text=True)
    assert done.returncode == 0, f'{command}\n{done.stderr}'
    same(pages, browser, output, *limits)


def draw_scene(pages, browser, figure, *limits):
    """Saves the editor's scene beside its figure, draws it with the command, and compares."""
    folder = pages.folder / 'saved'
    folder.mkdir(exist_ok=True)
    shutil.copy(figure, folder)
    (folder / 'scene.json').write_text(browser.value(f'{FIGURE}.scene'))
    done = pages.run(folder / 'scene.json', '-o', pages.folder / 'drawn.png')
    assert done.returncode == 0, done.stderr
    same(pages, browser, pages.folder / 'drawn.png', *limits)


def check_opening(pages, browser):
    """An editor opens showing what the command draws, asks nobody for anything, and tells its command."""
    browser.open(pages.write('editor.html', PAGE, *CALLOUT, '--edit'))
    assert pages.run(PAGE, *CALLOUT, '-o', pages.folder / 'opening.png').returncode == 0
    same(pages, browser, pages.folder / 'opening.png')
    assert browser.complaints() == [], browser.complaints()
    assert len(browser.requests()) == 1, browser.requests()
    assert [one['part'] for one in editor(browser)['handles']] == ['loupe', 'focus', 'radius', 'zoom']
    more = (pages.folder / 'editor.html').stat().st_size - os.path.getsize(PAGE)
    assert more <= 750_000, more
    draw_command(pages, browser)


def check_dragging(pages, browser):
    drag(browser, (420, 180), (390, 200))
    now = fields(browser)
    assert (now['centerX'], now['centerY']) == (390, 200), now
    drag(browser, (150, 330), (200, 310))
    now = fields(browser)
    assert abs(now['focusX'] - 200) <= 1 and abs(now['focusY'] - 310) <= 1, now
    x, y = handle(browser, 'radius')
    drag(browser, (x, y), (390 + (x - 390) * 1.25, 200 + (y - 200) * 1.25))
    assert abs(fields(browser)['radius'] - 100) <= 1, fields(browser)
    (x, y), (focus_x, focus_y) = handle(browser, 'zoom'), (fields(browser)['focusX'], fields(browser)['focusY'])
    drag(browser, (x, y), (focus_x + (x - focus_x) * 0.75, focus_y + (y - focus_y) * 0.75))
    assert abs(fields(browser)['zoom'] - 4) < 0.3, fields(browser)
    before = fields(browser)
    # The connector takes both along.
    middle = (before['centerX'] * 0.4 + before['focusX'] * 0.6, before['centerY'] * 0.4 + before['focusY'] * 0.6)
    drag(browser, middle, (middle[0] + 20, middle[1] + 16))
    now = fields(browser)
    assert now['centerX'] != before['centerX'], (before, now)
    assert abs((now['centerX'] - before['centerX']) - (now['focusX'] - before['focusX'])) < 1e-6, (before, now)
    draw_command(pages, browser)
    draw_scene(pages, browser, PAGE)


def check_undo(browser):
    changed = fields(browser)
    press(browser, 'z', ctrl=True)
    before = fields(browser)
    assert before != changed, before
    press(browser, 'z', ctrl=True, shift=True)
    assert fields(browser) == changed
    for _ in range(20):
        press(browser, 'z', ctrl=True)
    now = fields(browser)
    assert (now['centerX'], now['centerY'], now['radius'], now['zoom']) == (420, 180, 80, 3), now
    assert browser.value("document.querySelector('[data-do=undo]').disabled")
    click(browser, '[data-do=redo]')
    assert fields(browser)['centerX'] == 390


def check_keys(browser):
    """The keyboard does all that the mouse does, and screen readers are told."""
    browser.value("document.querySelector('#handles [data-part=loupe]').focus()")
    before = fields(browser)
    browser.key('ArrowLeft')
    browser.key('ArrowDown', shift=True)
    now = fields(browser)
    assert (now['centerX'], now['centerY']) == (before['centerX'] - 10, before['centerY'] + 1), (before, now)
    browser.value("document.querySelector('#handles [data-part=radius]').focus()")
    browser.key('ArrowRight')
    assert fields(browser)['radius'] == before['radius'] + 5
    label = browser.value("document.querySelector('#handles [data-part=radius]').getAttribute('aria-label')")
    assert label == f"Radius of Loupe 1, {fields(browser)['radius']:g} pixels", label
    count = len(editor(browser)['loupes'])
    press(browser, 'n')
    assert len(editor(browser)['loupes']) == count + 1 and editor(browser)['selected'] == count
    press(browser, 'Delete')
    assert len(editor(browser)['loupes']) == count
    assert 'deleted' in browser.value("document.getElementById('told').textContent")
    # Letters that are written into a field are no commands.
    browser.value("document.querySelector('input[data-field=\"rim.color\"]').focus()")
    press(browser, 'n')
    assert len(editor(browser)['loupes']) == count


def check_adding_and_placing(pages, browser):
    """A double click adds a loupe; loupes are placed where the command places them."""
    browser.open(pages.write('place.html', PAGE, '--edit'))
    frame(browser)
    assert editor(browser)['loupes'] == []
    x, y = place(browser, 160, 320)
    for count in (1, 2):
        browser.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=count)
        browser.mouse('mouseReleased', x, y, button='left', buttons=0, clickCount=count)
    now = fields(browser)
    assert (now['focusX'], now['focusY'], now['shows']) == (160, 320, 'elsewhere'), now
    set_field(browser, 'radius', 70)
    click(browser, '[data-do=add]')
    set_field(browser, 'focusX', 420)
    set_field(browser, 'focusY', 90)
    click(browser, '[data-do=placeAll]')
    command = shlex.split(editor(browser)['command'])
    asked = [word.split(' ', 1)[1] if word.startswith('at=') else word for word in command[2:]]
    asked.remove('-o')
    asked.remove(editor(browser)['output'])
    done = pages.run(PAGE, *asked, '--place', 'auto', '--print-scene')
    assert done.returncode == 0, done.stderr
    expected = [loupe['center'] for loupe in json.loads(done.stdout)['loupes']]
    found = [loupe['center'] for loupe in json.loads(browser.value(f'{FIGURE}.scene'))['loupes']]
    assert found == expected, (found, expected)
    draw_command(pages, browser)


def check_panel(pages, browser):
    """Each field changes the picture as the command draws it."""
    browser.open(pages.write('panel.html', PAGE, *CALLOUT, '--background', '#eef', '--margin', '20', '--edit'))
    frame(browser)
    for name, value in [
        ('rim.width', 6), ('rim.color', '#ffd60a'), ('shadow.blur', 30), ('shadow.offset.1', 9), ('shadow.color', '#00206080'),
        ('callout.ring.width', 5), ('connector', 'arrow'), ('callout.connector.width', 4), ('filter', 'nearest'), ('grid', True),
        ('mark', True), ('outside', 'clamp'), ('accent', '#8e44ad'), ('shape', 'rectangle'), ('width', 260),
    ]:
        set_field(browser, name, value)
        assert not browser.value("document.getElementById('told').classList.contains('wrong')"), name
    draw_command(pages, browser)
    draw_scene(pages, browser, PAGE)
    set_field(browser, 'rim.width', '')
    assert fields(browser)['rim.width']['auto']
    set_field(browser, 'connector', '')
    set_field(browser, 'shape', 'disc')
    set_field(browser, 'plain', True)
    draw_command(pages, browser)
    # What is wrong is said, and changes nothing.
    before = fields(browser)
    set_field(browser, 'callout.ring.color', 'no colour')
    assert browser.value("document.getElementById('told').classList.contains('wrong')")
    assert fields(browser) == before
    set_field(browser, 'plain', False)
    set_field(browser, 'shows', 'below')
    assert fields(browser)['focusX'] == fields(browser)['centerX']
    draw_command(pages, browser)
    assert browser.complaints() == [], browser.complaints()


def check_frame(pages, browser):
    """A frame makes the canvas larger, and the loupes move with the page, which has nothing around it before."""
    browser.open(pages.write('framed.html', PAGE, *CALLOUT, '--edit'))
    frame(browser)
    focus = fields(browser)['focusX']
    set_field(browser, 'frame', 'dark')
    assert fields(browser)['focusX'] > focus
    draw_command(pages, browser)
    set_field(browser, 'frame', '')
    assert fields(browser)['focusX'] == focus
    draw_command(pages, browser)


def check_letters(pages, browser):
    """Letters and zoom factors are those of the command. They may lie up to half a pixel beside them."""
    set_field(browser, 'shows', 'elsewhere')
    set_field(browser, 'letters', 'a')
    set_field(browser, 'zoomLabel', True)
    set_field(browser, 'zoom', 2.5)
    labels = json.loads(browser.value(f'{FIGURE}.scene'))['labels']
    assert [label['text'] for label in labels] == ['a', 'a', '2.5×'], labels
    size = labels[0]['size']
    # Nothing but letters differs.
    draw_command(pages, browser, '--tolerance', '2', '--max-pixels', int(3 * 4 * size * size))
    text = browser.value(f'{FIGURE}.scene')
    set_field(browser, 'letters', '')
    set_field(browser, 'zoomLabel', False)
    draw_command(pages, browser)
    assert browser.value(f'{FIGURE}.scene') != text


def check_scenes(pages, browser):
    """A scene keeps its look and its labels; what is changed is all that changes."""
    source = pages.folder / 'own'
    source.mkdir()
    shutil.copy(PAGE, source / 'page.png')
    scene = {
        'layers': [{'image': 'page.png'}],
        'loupes': [{'center': [300, 150], 'radius': 60, 'zoom': 2, 'focus': [100, 100], 'rim': {'width': 4, 'color': '#f00'}}],
    }
    (source / 'scene.json').write_text(json.dumps(scene))
    browser.open(pages.write('scene.html', source / 'scene.json', '--edit'))
    frame(browser)
    drag(browser, (300, 150), (340, 180))
    found = json.loads(browser.value(f'{FIGURE}.scene'))
    assert found['layers'][0]['image'] == 'page.png'
    assert found['loupes'][0]['rim'] == {'width': 4, 'color': '#ff0000'}, found['loupes']
    assert editor(browser)['command'] == 'loupe-render scene-loupe.json -o scene.png', editor(browser)['command']
    draw_scene(pages, browser, source / 'page.png')


def check_png(pages, browser):
    """The PNG is the frame, in the size of the command's picture, however large the screen shows it."""
    browser.size(500, 900)
    browser.open(pages.write('png.html', PAGE, *CALLOUT, '--edit'))
    frame(browser)
    text = browser.value(f'''(async () => {{
        const bytes = new Uint8Array(await (await {FIGURE}.png()).arrayBuffer());
        let text = '';
        for (let start = 0; start < bytes.length; start += 32768)
            text += String.fromCharCode(...bytes.subarray(start, start + 32768));
        return btoa(text);
    }})()''')
    (pages.folder / 'own.png').write_bytes(base64.b64decode(text))
    assert pages.run(PAGE, *CALLOUT, '-o', pages.folder / 'opening.png').returncode == 0
    passes, text = pages.compare(pages.folder / 'opening.png', pages.folder / 'own.png', '--tolerance', '2')
    assert passes, text
    assert browser.value(f'{FIGURE}.canvas.width') < 500
    # Fingers: the handles are large enough, and nothing scrolls away.
    x, y = place(browser, 420, 180)
    for kind, points in [('touchStart', [(x, y)]), ('touchMove', [(x - 10, y + 8)]), ('touchMove', [(x - 24, y + 16)]), ('touchEnd', [])]:
        browser.call('Input.dispatchTouchEvent', type=kind, touchPoints=[{'x': x, 'y': y} for x, y in points])
    now = fields(browser)
    assert now['centerX'] < 400 and now['centerY'] > 190, now
    browser.call('Emulation.clearDeviceMetricsOverride')


def type_command(browser, text):
    """Writes a command into its field and presses Enter; returns what the page says."""
    browser.value(f"Object.assign(document.getElementById('command'), {{value: {json.dumps(text)}}}).focus()")
    browser.value("document.getElementById('told').textContent = ''")
    press(browser, 'Enter')
    browser.until("document.getElementById('told').textContent")
    return browser.value("document.getElementById('told').textContent")


def check_commands(pages, browser):
    """A command that is typed is drawn as the command draws it, also on a page of the reader's own; a wrong one says what is wrong."""
    large = pages.folder / 'transparent.png'
    assert pages.run('reference-images/pages/alpha.png', '--scale', '4', '--no-metadata', '-o', large).returncode == 0
    for page, commands in {
        PAGE: ['--at 400,200 --zoom 3 --radius 90', "--callout 12%,53% --callout '90%,20%' --place auto --letters a --accent '#8e44ad'",
               '--canvas 1280x820 --margin 60 --background "#eef" --corner-radius 40 --frame dark --callout 40%,30%@70%,70%',
               '--loupe "at=200,200 focus=600,300 filter=nearest radius=80 ring" --zoom-label --blending linear'],
        large: ['--callout 30%,40%@80%,60%', '--canvas 400x400 --margin 20 --at 200,200'],
    }.items():
        browser.open(pages.write('commands.html', PAGE, *CALLOUT, '--edit'))
        frame(browser)
        if page != PAGE:
            data = base64.b64encode(pathlib.Path(page).read_bytes()).decode()
            browser.value(f"""(() => {{
                const bytes = Uint8Array.from(atob('{data}'), (one) => one.charCodeAt(0));
                const files = new DataTransfer();
                files.items.add(new File([bytes], "it's {pathlib.Path(page).name}"));
                document.body.dispatchEvent(new DragEvent('drop', {{bubbles: true, cancelable: true, dataTransfer: files}}));
            }})()""")
            browser.until("document.getElementById('told').textContent.includes('is open')")
            copy = pages.folder / f"it's {pathlib.Path(page).name}"
            shutil.copy(page, copy)
            assert shlex.split(editor(browser)['command'])[:3] == ['loupe-render', copy.name, '-o'], editor(browser)['command']
        for words in [*commands, None]:
            if words is not None:
                name = shlex.quote(page if page == PAGE else copy.name)
                assert type_command(browser, f'loupe-render {name} {words} -o out.png') == 'The command is drawn.', words
                typed = shlex.split(words)
            else:
                typed = shlex.split(editor(browser)['command'])[2:]
            done = pages.run(page if page == PAGE else copy, *typed, '-o', pages.folder / 'typed.png', '--scale', '1')
            assert done.returncode == 0, done.stderr
            same(pages, browser, pages.folder / 'typed.png', '--tolerance', '2', '--max-ratio', '0.002')
        assert browser.complaints() == [], browser.complaints()
    for words, sentence in [
        ('it.png --zoom 0', 'loupe'), ('it.png --callout 1,1 --zoom 999', '--zoom: 999 is out of range'), ('it.png --scale 2', "--scale: the editor can't draw this"),
        ('it.png --place beside --callout 1,1', 'keeps the canvas'), ('"it.png', 'quote'), ('', 'names no page'), ('a.png b.png', 'one page'),
    ]:
        before = browser.value(f'{FIGURE}.scene')
        said = type_command(browser, f"loupe-render {words.replace('it.png', shlex.quote(copy.name), 1)}")
        assert sentence in said, (words, said)
        assert browser.value(f'{FIGURE}.scene') == before, words


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

    def end(self, seconds=20):
        try:
            code = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return code, self.process.stderr.read()


def check_saving(pages, browser):
    """`edit` saves beside the figure what the page shows, and ends."""
    folder = pages.folder / "fig's"
    folder.mkdir()
    shutil.copy(PAGE, folder / 'my figure.png')
    editing = Editing(pages, 'my figure.png', *CALLOUT, folder=folder)
    browser.open(editing.address)
    frame(browser)
    drag(browser, (420, 180), (380, 210))
    set_field(browser, 'zoom', 5)
    # Another browser gets nothing.
    assert editing.ask(f'GET {editing.path} HTTP/1.1\r\nHost: {editing.host}\r\n\r\n')[0] == 403
    width, height, pixels = frame(browser)
    click(browser, '#save')
    browser.until("document.body.classList.contains('saved')")
    code, errors = editing.end()
    assert code == 0 and 'saved' in errors, (code, errors)
    assert sorted(os.listdir(folder)) == ['my figure-loupe.json', 'my figure.png'], os.listdir(folder)
    write_png(pages.folder / 'frame.png', width, height, pixels)
    done = pages.run(folder / 'my figure-loupe.json', '-o', pages.folder / 'drawn.png')
    assert done.returncode == 0, done.stderr
    passes, text = pages.compare(pages.folder / 'drawn.png', pages.folder / 'frame.png', '--tolerance', '2')
    assert passes, text
    assert browser.complaints() == [], browser.complaints()
    # The server is gone, and the scene is not replaced without being named.
    try:
        editing.ask('GET / HTTP/1.1\r\n\r\n')
        raise AssertionError('the server still answers')
    except ConnectionRefusedError:
        pass
    done = pages.run('edit', folder / 'my figure.png', '--no-browser')
    assert done.returncode == 73 and 'there already' in done.stderr, done
    before = (folder / 'my figure.png').read_bytes()
    for output in (folder / 'my figure.png', folder / '..' / folder.name / 'my figure.png'):
        done = pages.run('edit', folder / 'my figure.png', '-o', output, '--no-browser')
        assert done.returncode == 64, done
    assert pages.run('edit', folder / 'my figure.png', '-o', '/tmp/elsewhere.json', '--no-browser').returncode == 64
    assert (folder / 'my figure.png').read_bytes() == before
    # The saved scene can be edited in turn.
    editing = Editing(pages, 'my figure-loupe.json', '-o', 'again.json', folder=folder)
    browser.open(editing.address)
    frame(browser)
    assert fields(browser)['zoom'] == 5 and fields(browser)['centerX'] == 380, fields(browser)
    same(pages, browser, pages.folder / 'drawn.png')
    click(browser, '#save')
    assert editing.end()[0] == 0
    assert json.loads((folder / 'again.json').read_text()) == json.loads((folder / 'my figure-loupe.json').read_text())


def check_hostile_requests(pages):
    """A client that is not the page gets nothing, holds nobody up, and writes nothing."""
    folder = pages.folder / 'hostile'
    folder.mkdir()
    shutil.copy(PAGE, folder / 'figure.png')
    editing = Editing(pages, folder / 'figure.png')
    host = f'Host: {editing.host}\r\n'
    get = f'GET {editing.path} HTTP/1.1\r\n'
    assert editing.ask(f'{get}Host: evil.example\r\n\r\n')[0] == 421
    assert editing.ask(f'{get}{host}Origin: http://evil.example\r\n\r\n')[0] == 403
    assert editing.ask(f'GET / HTTP/1.1\r\n{host}\r\n')[0] == 404
    assert editing.ask(f'GET {editing.path[:-2]}x/ HTTP/1.1\r\n{host}\r\n')[0] == 404
    assert editing.ask(b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n')[0] == 400
    assert editing.ask(b'A' * 20000)[0] == 431
    post = f'POST {editing.path}scene HTTP/1.1\r\n{host}Origin: http://{editing.host}\r\nContent-Type: application/json\r\n'
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
    for scene in ('{}', '[', '{"layers": [{"image": "/etc/passwd"}]}', '{"canvas": {"width": 1, "height": 1}, "x": 1}'):
        assert editing.ask(f'{post}Content-Length: {len(scene)}\r\n\r\n{scene}')[0] == 422, scene
    assert os.listdir(folder) == ['figure.png']
    # A file that has come in the meantime is not replaced.
    (folder / 'figure-loupe.json').write_text('mine')
    scene = '{"layers": [{"image": "figure.png"}]}'
    status, answer = editing.ask(f'{post}Content-Length: {len(scene)}\r\n\r\n{scene}')
    assert status == 500 and b'there already' in answer, answer
    assert (folder / 'figure-loupe.json').read_text() == 'mine'
    os.remove(folder / 'figure-loupe.json')
    # Ctrl-C ends it, and leaves nothing behind.
    editing.process.send_signal(signal.SIGINT)
    code, errors = editing.end()
    assert code == 130 and 'nothing was saved' in errors, (code, errors)
    assert os.listdir(folder) == ['figure.png']


def check_refusals(pages):
    """What an editor can't write down again is refused."""
    for arguments, word in [
        (('--scale', '2'), '--scale'), (('--margin', 'auto'), '--margin'), (('--compare-with', PAGE), '--compare-with'),
        (('--at', '9,9', '--versus', PAGE), '--versus'),
    ]:
        done = pages.run('live', PAGE, *arguments, '--edit', '-o', pages.folder / 'no.html')
        assert done.returncode == 64 and word in done.stderr, done
    assert pages.run('edit', 'no such.png').returncode == 66
    assert pages.run('edit', '-').returncode == 64


def check_narrow(browser, pages):
    """On a phone nothing is wider than the screen."""
    browser.size(400, 800)
    browser.open(pages.write('narrow.html', PAGE, *CALLOUT, '--edit'))
    frame(browser)
    assert browser.value('document.documentElement.scrollWidth') <= 400
    browser.call('Emulation.clearDeviceMetricsOverride')


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(
            Browser('chromium', 1800, 1300, webgl=True)) as browser:
        pages = Pages(program, folder)
        check_refusals(pages)
        check_opening(pages, browser)
        check_dragging(pages, browser)
        check_undo(browser)
        check_keys(browser)
        check_adding_and_placing(pages, browser)
        check_panel(pages, browser)
        check_frame(pages, browser)
        check_letters(pages, browser)
        check_scenes(pages, browser)
        check_png(pages, browser)
        check_commands(pages, browser)
        check_narrow(browser, pages)
        check_saving(pages, browser)
        check_hostile_requests(pages)
    print('editor: all passed')


if __name__ == '__main__':
    main()
