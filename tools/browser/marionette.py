"""Firefox on a screen that is not there (Xvfb: without one it has no WebGL2), driven by its own protocol for WebDriver,
Marionette, with the standard library only."""
import json
import os
import socket
import subprocess
import tempfile
import time

from devtools import Browser


class Firefox:
    """Firefox ESR with one page."""

    def __init__(self, program='firefox-esr', width=1400, height=1000):
        self.profile = tempfile.TemporaryDirectory(prefix='loupe-firefox-', ignore_cleanup_errors=True)
        settings = {
            'marionette.port': 0, 'webgl.force-enabled': True, 'webgl.disabled': False,
            'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False,
            'app.update.enabled': False, 'network.captive-portal-service.enabled': False,
            'toolkit.telemetry.enabled': False, 'privacy.reduceTimerPrecision': False,
        }
        with open(os.path.join(self.profile.name, 'user.js'), 'w') as file:
            for name, value in settings.items():
                file.write(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n')
        environment = dict(os.environ, HOME=self.profile.name, LIBGL_ALWAYS_SOFTWARE='1', MOZ_X11_EGL='1')
        self.process = subprocess.Popen(
            ['xvfb-run', '--auto-servernum', '--server-args', f'-screen 0 {width}x{height}x24', program, '--marionette',
             '--no-remote', '--width', str(width), '--height', str(height), '--profile', self.profile.name, 'about:blank'],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.identifier = 0
        self.socket = socket.create_connection(('127.0.0.1', self.port()), timeout=120)
        self.buffer = b''
        self.receive()
        self.call('WebDriver:NewSession', {'capabilities': {}})
        self.call('WebDriver:SetTimeouts', {'script': 60000, 'pageLoad': 60000})

    def port(self):
        file = os.path.join(self.profile.name, 'MarionetteActivePort')
        for _ in range(900):
            if self.process.poll() is not None:
                raise RuntimeError(f'Firefox ended with {self.process.returncode}')
            if os.path.exists(file) and os.path.getsize(file):
                with open(file) as number:
                    return int(number.read())
            time.sleep(0.1)
        raise RuntimeError('Firefox did not start within 90 seconds')

    def receive(self):
        """A message: its length, a colon, JSON."""
        while True:
            length, colon, rest = self.buffer.partition(b':')
            if colon and len(rest) >= int(length):
                self.buffer = rest[int(length):]
                return json.loads(rest[:int(length)])
            data = self.socket.recv(1 << 20)
            if not data:
                raise ConnectionError('Firefox has closed the connection')
            self.buffer += data

    def call(self, name, parameters=None):
        self.identifier += 1
        message = json.dumps([0, self.identifier, name, parameters or {}]).encode()
        self.socket.sendall(b'%d:%s' % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f'{name}: {error["message"]}')
        return result

    def open(self, address):
        self.call('WebDriver:Navigate', {'url': address})

    def value(self, expression):
        """The value of an expression of JavaScript, or of its promise."""
        script = ('const done = arguments[arguments.length - 1]; Promise.resolve().then(() => (' + expression
                  + ')).then((value) => done({value}), (error) => done({error: String(error)}))')
        result = self.call('WebDriver:ExecuteAsyncScript', {'script': script, 'args': [], 'sandbox': None})['value']
        if 'error' in result:
            raise RuntimeError(f'{expression}: {result["error"]}')
        return result.get('value')

    def mouse(self, *steps):
        """Moves, presses and releases: `('move', x, y)`, `('down',)`, `('up',)`."""
        actions = []
        for kind, *place in steps:
            action = {'type': f'pointer{kind.capitalize()}', 'button': 0}
            if place:
                action = {'type': 'pointerMove', 'x': round(place[0]), 'y': round(place[1]), 'duration': 20}
            actions.append(action)
        self.call('WebDriver:PerformActions', {'actions': [
            {'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'}, 'actions': actions}]})

    def drag(self, x, y, to_x, to_y):
        self.mouse(*[('move', x, y), ('down',)],
                   *[('move', x + (to_x - x) * step / 5, y + (to_y - y) * step / 5) for step in range(1, 6)], ('up',))

    until, pixels = Browser.until, Browser.pixels

    def wheel(self, x, y, delta):
        """Turns the wheel with Ctrl pressed."""
        ctrl, turn = '\ue009', {'type': 'scroll', 'x': round(x), 'y': round(y), 'deltaX': 0, 'deltaY': delta}
        self.call('WebDriver:PerformActions', {'actions': [
            {'type': 'key', 'id': 'keys', 'actions': [
                {'type': 'keyDown', 'value': ctrl}, {'type': 'pause'}, {'type': 'keyUp', 'value': ctrl}]},
            {'type': 'wheel', 'id': 'wheel', 'actions': [{'type': 'pause'}, turn]}]})

    def key(self, key):
        self.call('WebDriver:PerformActions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': [
            {'type': 'keyDown', 'value': key}, {'type': 'keyUp', 'value': key}]}]})

    def close(self):
        try:
            self.call('Marionette:Quit', {'flags': ['eForceQuit']})
        except (ConnectionError, OSError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()
