"""A browser without a window, driven over the DevTools protocol, with the standard library only."""
import base64
import contextlib
import json
import os
import select
import subprocess
import tempfile
import time


class Browser:
    """Chromium with one page. `events` holds what the page reported. With WebGL it draws by SwiftShader."""

    def __init__(self, program, width=1400, height=900, webgl=False, flags=()):
        drawing = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'] if webgl else ['--disable-gpu']
        self.profile = tempfile.TemporaryDirectory(prefix='loupe-chromium-', ignore_cleanup_errors=True)
        self.reading, its_output = os.pipe()
        its_input, self.writing = os.pipe()
        # It reads from descriptor 3 and writes to 4. A test runs as root in a container, where the sandbox can't start; the page is
        # our own.
        self.process = subprocess.Popen(
            ['bash', '-c', f'exec "$@" 3<&{its_input} 4>&{its_output}', 'bash', program, '--headless=new', '--no-sandbox',
             *drawing, *flags, '--no-first-run', '--disable-extensions', '--disable-background-networking',
             '--disable-component-update', '--disable-dev-shm-usage', '--remote-debugging-pipe',
             f'--user-data-dir={self.profile.name}', f'--window-size={width},{height}', 'about:blank'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(its_input, its_output))
        os.close(its_input)
        os.close(its_output)
        self.rest, self.identifier, self.session, self.events = b'', 0, {}, []
        self.session = {'sessionId': self.call('Target.attachToTarget', targetId=self.page(), flatten=True)['sessionId']}
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(f'{domain}.enable')

    def page(self):
        """The identifier of the page, once there is one."""
        for _ in range(600):
            for target in self.call('Target.getTargets')['targetInfos']:
                if target['type'] == 'page':
                    return target['targetId']
            time.sleep(0.1)
        raise RuntimeError('the browser did not start within a minute')

    def receive(self):
        """The next message. Messages are JSON, each with a zero byte at its end."""
        parts = [self.rest]
        while b'\0' not in parts[-1]:
            if not select.select([self.reading], [], [], 60)[0]:
                raise TimeoutError('the browser has not answered for a minute')
            parts.append(os.read(self.reading, 1 << 20))
            if not parts[-1]:
                raise ConnectionError('the browser has closed the connection')
        message, _, self.rest = b''.join(parts).partition(b'\0')
        return json.loads(message)

    def call(self, method, **parameters):
        self.identifier += 1
        message = {'id': self.identifier, 'method': method, 'params': parameters, **self.session}
        os.write(self.writing, json.dumps(message).encode() + b'\0')
        while True:
            message = self.receive()
            if message.get('id') == self.identifier:
                if 'error' in message:
                    raise RuntimeError(f'{method}: {message["error"]["message"]}')
                return message['result']
            self.events.append(message)

    def open(self, address):
        """Opens a page and returns how many seconds it took to read it."""
        start = time.monotonic()
        self.events.clear()
        self.call('Page.navigate', url=address)
        while not any(event['method'] == 'Page.loadEventFired' for event in self.events):
            self.events.append(self.receive())
        return time.monotonic() - start

    def value(self, expression):
        """The value of an expression of JavaScript."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(f'{expression}: {result["exceptionDetails"]}')
        return result['result'].get('value')

    def until(self, expression, seconds=20):
        """Waits for an expression to be true."""
        end = time.monotonic() + seconds
        while not self.value(f'Boolean({expression})'):
            if time.monotonic() > end:
                raise AssertionError(f'still not so after {seconds} s: {expression}')
            time.sleep(0.05)

    def middle(self, selector):
        """The centre of the first visible element of a selector."""
        box = self.value(f'''(() => {{
            const element = [...document.querySelectorAll({json.dumps(selector)})].find((one) => one.offsetParent);
            element.scrollIntoView({{block: 'nearest', behavior: 'instant'}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()''')
        return box

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def click(self, selector):
        x, y = self.middle(selector)
        self.drag(x, y, x, y)

    def drag(self, x, y, to_x, to_y):
        self.mouse('mouseMoved', x, y)
        self.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1)
        if (x, y) != (to_x, to_y):
            for step in range(1, 6):
                self.mouse('mouseMoved', x + (to_x - x) * step / 5, y + (to_y - y) * step / 5, button='left', buttons=1)
        self.mouse('mouseReleased', to_x, to_y, button='left', buttons=0, clickCount=1)

    def key(self, key, shift=False):
        code = {'Escape': 27, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40}.get(key, 0)
        event = {'key': key, 'windowsVirtualKeyCode': code, 'modifiers': 8 if shift else 0}
        if len(key) == 1:
            event['text'] = key
        self.call('Input.dispatchKeyEvent', type='keyDown', **event)
        self.call('Input.dispatchKeyEvent', type='keyUp', **event)

    def size(self, width, height):
        """The size of the page in pixels of one device pixel each; touches where it is a phone's."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 800)

    def pixels(self, selector):
        """The bytes of a shown picture, RGBA; the browser knows only those that are opaque exactly."""
        text = self.value(f'''(() => {{
            const picture = document.querySelector({json.dumps(selector)});
            const canvas = document.createElement('canvas');
            canvas.width = picture.naturalWidth ?? picture.width;
            canvas.height = picture.naturalHeight ?? picture.height;
            const context = canvas.getContext('2d');
            context.drawImage(picture, 0, 0);
            const bytes = context.getImageData(0, 0, canvas.width, canvas.height).data;
            let text = '';
            for (let start = 0; start < bytes.length; start += 32768)
                text += String.fromCharCode(...bytes.subarray(start, start + 32768));
            return btoa(text);
        }})()''')
        return base64.b64decode(text)

    def dark(self, is_dark):
        feature = {'name': 'prefers-color-scheme', 'value': 'dark' if is_dark else 'light'}
        self.call('Emulation.setEmulatedMedia', features=[feature])

    def screenshot(self, path, whole=None):
        """What the screen shows, or all of a page that has the size `whole`, on the screen and beyond."""
        more = {}
        if whole:
            clip = {'x': 0, 'y': 0, 'width': whole[0], 'height': whole[1], 'scale': 1}
            more = {'clip': clip, 'captureBeyondViewport': True}
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot', **more)['data']))

    def complaints(self):
        """Errors and warnings of the page."""
        found = []
        for event in self.events:
            parameters = event.get('params', {})
            if event['method'] == 'Runtime.exceptionThrown':
                found.append(parameters['exceptionDetails'].get('text', 'exception'))
            if event['method'] == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
                found.append(parameters['entry']['text'])
            if event['method'] == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning'):
                found.append(str(parameters['args']))
        return found

    def requests(self):
        """Every request to the network or the disk; data and blob addresses are neither."""
        asked = [event['params']['request']['url'] for event in self.events
                 if event['method'] == 'Network.requestWillBeSent']
        return [address for address in asked if not address.startswith(('data:', 'blob:'))]

    def close(self):
        self.session = {}
        with contextlib.suppress(OSError, RuntimeError):
            self.call('Browser.close')
        os.close(self.writing)
        os.close(self.reading)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()
