"""Live figures in pages of others, and others in live pages: <loupe-figure src>, frames, storage, messages. See tools/browser/live."""
import contextlib
import functools
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading

from devtools import Browser
from live_test import MARKUP, Pages, frame, write_png

UI = ('examples/pages/interface-light.png', '--at', '400,200', '--radius', '90', '--zoom', '3')
PLOT = ('examples/pages/scatter.png', '--callout', '600,460@300,160', '--radius', '70', '--zoom', '3', '--letters', 'a')
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; base-uri 'none'"
# Of a private window, or of a reader who forbids it.
NO_STORAGE = """
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, {get() { throw new DOMException('refused', 'SecurityError'); }});
    Object.defineProperty(Document.prototype, 'cookie', {
        get() { throw new DOMException('refused', 'SecurityError'); }, set() { throw new DOMException('refused', 'SecurityError'); },
    });"""


class Server(contextlib.AbstractContextManager):
    """A folder over HTTP, with a strict policy for its pages."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def end_headers(self):
                # Live pages have a policy of their own.
                if self.path.startswith('/index'):
                    self.send_header('Content-Security-Policy', POLICY)
                super().end_headers()

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=str(folder)))
        self.address = f'http://127.0.0.1:{self.server.server_address[1]}/'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def expect_same(pages, found, arguments):
    """A frame is the command's picture."""
    write_png(pages.folder / 'frame.png', *found)
    assert pages.run(*arguments, '-o', pages.folder / 'drawn.png').returncode == 0
    passes, text = pages.compare(pages.folder / 'drawn.png', pages.folder / 'frame.png', '--tolerance', '2')
    assert passes, text


def reason(browser, figure):
    return browser.value(f'{figure}.ready.then(() => "", (error) => error.message)')


def middle(browser, figure):
    left, top, width, height = browser.value(
        f'(({{x, y, width, height}}) => [x, y, width, height])({figure}.getBoundingClientRect())')
    return left + width / 2, top + height / 2


def check_embedded(pages, browser):
    """Two figures on one page: from disk, and from a server with a strict policy. Each is the command's picture, and moves alone."""
    site = pages.folder / 'site'
    site.mkdir()
    for name, arguments in [('ui', UI), ('plot', PLOT)]:
        done = pages.run('live', *arguments, '--embed', '--label', f'{name} {MARKUP}', '-o', site / f'{name}.js')
        assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(site)) == ['loupe-figure.js', 'plot.js', 'ui.js'], os.listdir(site)
    assert (site / 'loupe-figure.js').stat().st_size <= 600_000
    (site / 'own.png').write_bytes((pathlib.Path(UI[0])).read_bytes())
    (site / 'index.html').write_text('''<!DOCTYPE html><meta charset="utf-8"><title>Two</title>
        <script src="loupe-figure.js" defer></script><p id="note">mine</p><p id="told">mine</p>
        <loupe-figure id="ui" src="ui.js"><img src="own.png" alt="own"></loupe-figure>
        <loupe-figure id="plot" src="plot.js"></loupe-figure>''')
    with Server(site) as server:
        for address in ('file://' + str(site / 'index.html'), server.address + 'index.html'):
            browser.open(address)
            # Chromium draws them in the size of the command's picture.
            expect_same(pages, frame(browser, 'ui'), UI)
            expect_same(pages, frame(browser, 'plot'), PLOT)
            state = 'JSON.stringify([ui.loupe, plot.loupe])'
            before = json.loads(browser.value(state))
            x, y = middle(browser, 'ui')
            browser.drag(x, y, x + 60, y + 20)
            after = json.loads(browser.value(state))
            assert after[0] != before[0] and after[1] == before[1], (before, after)
            assert browser.value("document.getElementById('note').textContent") == 'mine'
            browser.until("document.querySelector('#ui ~ .loupe-told').textContent.startsWith('Loupe at')")
            assert browser.value("document.getElementById('told').textContent") == 'mine'
            assert browser.value("ui.getAttribute('aria-label')") == f'ui {MARKUP}'
            # Who calls the function of files on disk changes nothing.
            browser.value("loupeFigure(null), loupeFigure({format: 'loupe-figure/1', document: {}}), 0")
            assert json.loads(browser.value(state)) == after
            own = [one for one in browser.requests() if not one.startswith(address.rsplit('/', 1)[0])]
            assert own == [], own
        # The page's own picture is not in the policy of the server; nothing else is amiss.
        assert all('own.png' in one for one in browser.complaints()), browser.complaints()
        check_damaged(browser, site, server)
    for arguments, code in [
        ((*UI, '--embed'), 64), ((*UI, '--embed', '-o', '-'), 64), ((*UI, '--embed', '--record', '-o', site / 'x.js'), 64),
        (('examples/motion/scroll.json', '--allow-outside', '--embed', '-o', site / 'x.js'), 64),
        ((UI[0], '--embed', '-o', site / 'loupe-figure.js'), 64), ((site / 'own.png', '--embed', '-o', site / 'own.png'), 64),
    ]:
        done = pages.run('live', *arguments)
        assert done.returncode == code and not (site / 'x.js').exists(), done


def check_styles(pages, browser):
    """The loupe is under the pointer, however the page around a figure turns, frames and scales it, and as wide as a picture would be."""
    site = pages.folder / 'styles'
    site.mkdir()
    assert pages.run('live', *UI, '--embed', '-o', site / 'ui.js').returncode == 0
    (site / 'own.png').write_bytes((pathlib.Path(UI[0])).read_bytes())
    figure = '<loupe-figure id="ui" src="ui.js" style="{}"><img src="own.png" alt="own"></loupe-figure>'
    pages_of = {
        'border': figure.format('width: 420px; border: 20px solid red; padding: 15px'),
        'turned': f'<div style="transform: rotate(10deg)">{figure.format("width: 420px")}</div>',
        'mirrored': f'<div style="transform: scale(-1, 1.3); zoom: 1.2">{figure.format("width: 300px")}</div>',
        'shadow': '<div id="host"></div><script>host.attachShadow({mode: "open"}).innerHTML = '
                  f'`<div style="transform: skewX(15deg)">{figure.format("width: 300px")}</div>`;</script>',
        'backwards': f'<div dir="rtl" style="writing-mode: vertical-rl; transform: rotate(5deg)">{figure.format("width: 300px")}</div>',
        'shrunk': f'<div style="width: 500px"><figure style="display: table; margin: auto">{figure.format("")}</figure></div>',
        'floated': f'<div style="width: 500px"><div style="float: left">{figure.format("")}</div></div>',
    }
    for name, body in pages_of.items():
        (site / f'{name}.html').write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>x</title><script src="loupe-figure.js" defer>'
                                           f'</script><body style="margin: 40px">{body}')
        browser.open('file://' + str(site / f'{name}.html'))
        found = 'host.shadowRoot.getElementById("ui")' if name == 'shadow' else 'ui'
        browser.value(f'{found}.ready.then(() => 0)')
        held = browser.call('Runtime.evaluate', expression=f'{found}.querySelector("img")')['result']['objectId']
        x0, y0, x1, y1, _, _, x3, y3 = browser.call('DOM.getContentQuads', objectId=held)['quads'][0]
        browser.mouse('mouseMoved', x0 + 0.3 * (x1 - x0) + 0.6 * (x3 - x0), y0 + 0.3 * (y1 - y0) + 0.6 * (y3 - y0))
        width, height = browser.value(f'{found}.natural')
        x, y = browser.value(f'{found}.loupe.center')
        assert abs(x - 0.3 * width) < 2 and abs(y - 0.6 * height) < 2, (name, x / width, y / height)
        if name in ('shrunk', 'floated'):
            assert x1 - x0 == 500, (name, x1 - x0)


def check_damaged(browser, site, server):
    """Files that are missing, cut off or something else: a reason, the picture where there is one, and no script of theirs runs."""
    text = (site / 'ui.js').read_text()
    (site / 'cut.js').write_text(text[:len(text) // 2])
    (site / 'evil.js').write_text('window.hasRun = true;')
    (site / 'evil2.js').write_text('loupeFigure({}); window.hasRun = true;')
    (site / 'other.js').write_text(text.replace('loupe-figure/1', 'loupe-figure/9'))
    (site / 'pixels.js').write_text(text.replace('"pictures": ["', '"pictures": ["~~~~~').replace('"pictures":["', '"pictures":["~~~~~'))
    names = ['cut', 'evil', 'evil2', 'other', 'pixels', 'missing']
    (site / 'index2.html').write_text(
        '<!DOCTYPE html><meta charset="utf-8"><title>x</title><script src="loupe-figure.js" defer></script>'
        + ''.join(f'<loupe-figure id="{name}1" src="{name}.js"></loupe-figure>' for name in names) + '<loupe-figure id="none1"></loupe-figure>')
    for address in (server.address + 'index2.html', 'file://' + str(site / 'index2.html')):
        browser.open(address)
        for name in [*names, 'none']:
            why = reason(browser, f'{name}1')
            assert why, name
            assert browser.value(f"!document.querySelector('#{name}1 + .loupe-note').hidden"), name
        if address.startswith('http'):
            assert browser.value('typeof hasRun') == 'undefined', 'a file of a figure was run as a script'
        # This one has a picture to show.
        assert browser.value("document.querySelector('#pixels1 img').naturalWidth") > 0


def kinds(pages):
    """A page of each kind, with what says that nothing has happened to its figure."""
    return [
        (pages.write('reader.html', *UI), 'JSON.stringify(loupe.loupe)'),
        (pages.write('sessions.html', 'examples/gestures/in-hand.json', '--allow-outside', '--record'),
         'JSON.stringify([loupe.duration, loupe.own, loupe.isRecording, loupe.states(0)])'),
        (pages.write('recorder.html', *UI, '--record'), 'JSON.stringify([loupe.duration, loupe.own, loupe.isRecording])'),
    ]


def check_storage_and_messages(pages, browser):
    """Every kind of page works where storage is refused, and messages from other pages do nothing."""
    script = browser.call('Page.addScriptToEvaluateOnNewDocument', source=NO_STORAGE)['identifier']
    for address, state in kinds(pages):
        browser.open(address)
        assert frame(browser)[0] > 0
        assert browser.value("(() => { try { return localStorage, false; } catch { return true; } })()"), 'storage is there'
        before = browser.value(state)
        browser.value("""(() => {
            const messages = ['close', 'undo', 'save', {type: 'loupe', zoom: 1e9}, {do: 'delete'}, {do: 'set', field: 'zoom', value: 9},
                {format: 'loupe-live/1', scene: {}}, {toString: null}, {__proto__: {state: 1}}, [[]], null, 0, '{"do":"delete"}'];
            for (const message of messages) {
                window.postMessage(message, '*');
                window.dispatchEvent(new MessageEvent('message', {data: message, origin: 'http://evil.example', source: window}));
                loupe.dispatchEvent(new MessageEvent('message', {data: message}));
            }
            const channel = new MessageChannel();
            window.postMessage('port', '*', [channel.port1]);
            return new Promise((done) => setTimeout(done, 60));
        })()""")
        assert browser.value(state) == before, address
        x, y = middle(browser, 'loupe')
        browser.drag(x, y, x + 30, y + 10)
        assert browser.complaints() == [], (address, browser.complaints())
    browser.call('Page.removeScriptToEvaluateOnNewDocument', identifier=script)


def check_frames(pages, browser):
    """Pages in frames: one of the same origin, and one in a sandbox, which has no origin and no storage. A message to them does nothing."""
    folder = pages.folder / 'frames'
    folder.mkdir()
    for name, arguments in [('ui', UI), ('plot', PLOT)]:
        assert pages.run('live', *arguments, '-o', folder / f'{name}.html').returncode == 0
    (folder / 'outer.html').write_text('''<!DOCTYPE html><meta charset="utf-8"><title>Outer</title><link rel="icon" href="data:,"><style>body { margin: 0 }</style>
        <iframe src="ui.html" width="840" height="480" style="border: 0"></iframe>
        <iframe src="plot.html" width="840" height="660" style="border: 0" sandbox="allow-scripts"></iframe>''')
    with Server(folder) as server:
        browser.open(server.address + 'outer.html')
        inner = "frames[0].document.getElementById('loupe')"
        found = frame(browser, inner)
        assert found[0] > 0
        before = browser.value(f'JSON.stringify({inner}.loupe)')
        browser.value("frames[0].postMessage({type: 'loupe', open: false}, '*'), frames[1].postMessage('close', '*'), 0")
        browser.drag(300, 200, 360, 240)
        assert browser.value(f'JSON.stringify({inner}.loupe)') != before, 'the figure in the frame does not move'
        # The sandbox's own world.
        worlds = [event['params']['context'] for event in browser.events if event['method'] == 'Runtime.executionContextCreated']
        sandboxed = [world['id'] for world in worlds if world['origin'] in ('', '://', 'null')]
        assert sandboxed, worlds
        result = browser.call('Runtime.evaluate', contextId=sandboxed[-1], returnByValue=True, awaitPromise=True, expression="""
            loupe.ready.then(() => {
                let storage = 'there';
                try { localStorage.length; } catch { storage = 'refused'; }
                return [loupe.pixels().width > 0, storage];
            })""")
        assert result['result'].get('value') == [True, 'refused'], result
        assert browser.complaints() == [], browser.complaints()


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Browser(
            'chromium', 1800, 1300, webgl=True, flags=['--disable-features=IsolateSandboxedIframes'])) as browser:
        pages = Pages(program, folder)
        check_embedded(pages, browser)
        check_styles(pages, browser)
        check_storage_and_messages(pages, browser)
        check_frames(pages, browser)
    print('guests: all passed')


if __name__ == '__main__':
    main()
