"""The process that draws: threads, forks, interrupts, crashes."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from numpy.typing import NDArray

import loupe_render as loupe
from loupe_render import _server


def processes() -> list[_server.Server]:
    return list(_server._servers.values())


def test_one_process_draws_all_pictures(page: pathlib.Path) -> None:
    _server.close()
    for _ in range(3):
        loupe.render(page)
    first = processes()
    loupe.render(page, zoom=3, at=(9, 9))
    assert processes() == first and len(first) == 1


def test_a_failed_picture_does_not_end_it(page: pathlib.Path) -> None:
    loupe.render(page)
    before = processes()
    for wrong in (b"no picture", b"\x89PNG\r\n\x1a\n", b"<svg"):
        with pytest.raises(loupe.LoupeError):
            loupe.render(wrong, at=(9, 9))
    assert loupe.render(page).width == 40 and processes() == before


def test_threads_get_their_own_pictures(pixels: NDArray[np.uint8]) -> None:
    pages = [np.roll(pixels, shift, axis=1) for shift in range(24)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        drawn = list(pool.map(lambda one: loupe.render(one, margin=0).array, pages * 3))
    assert all((one[..., :3] == expected).all() for one, expected in zip(drawn, pages * 3, strict=True))


def test_large_pages_and_pictures_do_not_block_each_other() -> None:
    """More bytes than the pipes hold, in both directions at once."""
    noise = np.random.default_rng(1).integers(0, 256, (1200, 1600, 3), dtype=np.uint8)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for drawn in pool.map(lambda _: loupe.render(noise, margin=0).array, range(8)):
            assert (drawn[..., :3] == noise).all()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_crash_is_an_exception_and_the_next_picture_is_drawn(page: pathlib.Path, number: signal.Signals) -> None:
    loupe.render(page)
    running = processes()[-1]
    big = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), dtype=np.uint8)
    timer = threading.Timer(0.05, lambda: os.kill(running._process.pid, number))
    timer.start()
    start = time.monotonic()
    with pytest.raises(loupe.CrashError, match=rf"signal {int(number)}|exit code {128 + number}"):
        for _ in range(200):
            loupe.render(big)
    assert time.monotonic() - start < 20
    assert loupe.render(page).width == 40


def test_a_crash_names_the_last_words(tmp_path: pathlib.Path, page: pathlib.Path) -> None:
    program = tmp_path / "loupe-render"
    program.write_text("#!/bin/sh\nread line\necho 'Fatal error: something was nil' >&2\nkill -ILL $$\n")
    program.chmod(0o755)
    script = f"import loupe_render as loupe; loupe.render({str(page)!r})"
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "LOUPE_RENDER": str(program)}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert "CrashError: loupe-render ended with signal 4; its last words: Fatal error: something was nil" in done.stderr


@pytest.mark.parametrize("answer", ["nonsense", "{", "{}", '{"job": 1, "state": "drawn", "bytes": 99}'])
def test_nonsense_is_an_exception(tmp_path: pathlib.Path, page: pathlib.Path, answer: str) -> None:
    program = tmp_path / "loupe-render"
    program.write_text(f"#!/bin/sh\nread line\necho '{answer}'\nexit 70\n")
    program.chmod(0o755)
    script = f"import loupe_render as loupe; loupe.render({str(page)!r})"
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "LOUPE_RENDER": str(program)}, capture_output=True, text=True, timeout=30, check=False
    )  # fmt: skip
    assert "CrashError" in done.stderr, done.stderr


def test_all_waiting_threads_learn_of_a_crash(pixels: NDArray[np.uint8]) -> None:
    loupe.render(pixels)
    running = processes()[-1]
    asked = running._asked
    # It takes their jobs, but does not go on.
    running._process.send_signal(signal.SIGSTOP)

    def draw(_: int) -> bool:
        try:
            loupe.render(pixels)
        except loupe.CrashError:
            return True
        return False

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        crashed = [pool.submit(draw, one) for one in range(4)]
        while running._asked < asked + 4:
            time.sleep(0.01)
        running._process.kill()
        assert all(one.result(timeout=30) for one in crashed)


def test_a_picture_whose_png_was_not_ready_at_a_crash_raises(pixels: NDArray[np.uint8]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), dtype=np.uint8)
    picture = loupe.render(noise)
    processes()[-1]._process.kill()
    for _ in range(2):
        with pytest.raises(loupe.CrashError, match="signal 9"):
            picture.save("never.png")
    assert loupe.render(pixels).width == 40


@pytest.mark.usefixtures("device")
def test_pictures_that_nobody_looks_at_do_not_hold_the_end_up() -> None:
    start = time.monotonic()
    done = run_script("""
        import loupe_render as loupe, numpy as np
        noise = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), dtype=np.uint8)
        loupe.render(noise), loupe.render(noise)
        """)
    assert done.returncode == 0 and done.stderr == "" and time.monotonic() - start < 20


def run_script(text: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=60, check=False)


def test_an_interrupt_ends_the_picture_and_its_process(page: pathlib.Path) -> None:
    done = run_script(f"""
        import os, signal, threading, loupe_render as loupe
        from loupe_render import _server
        import numpy as np
        loupe.render({str(page)!r})
        process = next(iter(_server._servers.values()))._process
        from loupe_render._pages import png_of
        noise = png_of(np.random.default_rng(1).integers(0, 256, (3000, 4000, 3), dtype=np.uint8))
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            for _ in range(100): loupe.render(noise)
        except KeyboardInterrupt:
            assert process.poll() is not None
            assert loupe.render({str(page)!r}).width == 40
            print("ended")
        """)
    assert done.stdout == "ended\n", done.stderr


@pytest.mark.usefixtures("device")
def test_a_fork_draws_with_a_process_of_its_own(page: pathlib.Path) -> None:
    done = run_script(f"""
        import os, loupe_render as loupe
        from loupe_render import _server
        loupe.render({str(page)!r})
        mine = next(iter(_server._servers.values()))._process.pid
        child = os.fork()
        if child == 0:
            code = 1
            try:
                assert loupe.render({str(page)!r}).width == 40
                assert next(iter(_server._servers.values()))._process.pid != mine
                _server.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert loupe.render({str(page)!r}).width == 40
        assert next(iter(_server._servers.values()))._process.pid == mine
        print("both")
        """)
    assert done.stdout == "both\n" and done.stderr == ""


def test_a_fork_has_the_pictures_that_were_not_finished() -> None:
    """Also where a thread of its parent waits for them, whose locks nobody opens in the fork."""
    done = run_script("""
        import multiprocessing, threading, loupe_render as loupe, numpy as np
        noise = np.random.default_rng(1).integers(0, 256, (1500, 2000, 3), dtype=np.uint8)
        pictures = [loupe.render(noise), loupe.render(noise[::-1])]
        def draw(one): return pictures[one].png
        threading.Thread(target=draw, args=(0,)).start()
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(draw, [0, 1, 0]).get(40) == [draw(0), draw(1), draw(0)]
        print("same")
        """)
    assert done.stdout == "same\n" and done.stderr == ""


def test_a_fork_draws_figures_while_a_thread_of_its_parent_does() -> None:
    done = run_script("""
        import multiprocessing, threading, matplotlib.figure, loupe_render as loupe
        from loupe_render import _pixels
        figure = matplotlib.figure.Figure(figsize=(2, 1))
        def width(_): return loupe.render(figure, figure_format="png").width
        is_held, has_forked = threading.Event(), threading.Event()
        def hold():
            with _pixels.DRAWING:
                is_held.set(), has_forked.wait()
        threading.Thread(target=hold).start()
        is_held.wait()
        with multiprocessing.get_context("fork").Pool(1) as pool:
            has_forked.set()
            print(pool.map_async(width, [0]).get(20))
        """)
    assert done.stdout == "[200]\n", done.stderr


def test_without_a_driver_the_reference_renderer_draws_and_says_so_once(page: pathlib.Path) -> None:
    done = run_script(f"""
        import os, loupe_render as loupe
        os.environ["__EGL_VENDOR_LIBRARY_FILENAMES"] = "/nonexistent"
        drawn = [loupe.render({str(page)!r}, at=(20, 15)).png for _ in range(3)]
        assert drawn == [loupe.render({str(page)!r}, at=(20, 15), reference=True).png] * 3
        for refused in ({{"no_fallback": True}}, {{"device": "cpu"}}):
            try:
                loupe.render({str(page)!r}, **refused)
            except loupe.DeviceError:
                print("refused")
        """)
    assert done.stdout == "refused\nrefused\n", done.stderr
    assert done.stderr.count("the reference renderer draws") == 1


@pytest.mark.parametrize("end", ["", "os._exit(0)", "os.kill(os.getpid(), 9)", "raise SystemExit(3)"])
def test_the_process_ends_with_the_interpreter(page: pathlib.Path, end: str) -> None:
    done = run_script(f"""
        import os, loupe_render as loupe
        from loupe_render import _server
        loupe.render({str(page)!r})
        print(next(iter(_server._servers.values()))._process.pid, flush=True)
        {end}
        """)
    number = int(done.stdout)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            state = pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    raise AssertionError("it still runs")


def test_multiprocessing_draws(page: pathlib.Path) -> None:
    done = run_script(f"""
        import multiprocessing, loupe_render as loupe
        def draw(one): return loupe.render({str(page)!r}, at=(one, 9), scale=1).width
        if __name__ == "__main__":
            loupe.render({str(page)!r})
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(sum(pool.map(draw, range(6))))
        """)
    assert done.stdout == "240\n", done.stderr


@pytest.mark.usefixtures("device")
def test_answers_come_while_the_input_is_open(page: pathlib.Path) -> None:
    """The command itself, job by job, and its end when nobody reads any more."""
    import json

    import loupe_render._command

    with subprocess.Popen(
        [loupe._command.command(), "batch", "-", "--allow-outside"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stderr
        job = json.dumps({"input": str(page), "output": "-"}).encode() + b"\n"
        for number in (1, 2):
            process.stdin.write(job)
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert answer["job"] == number and len(process.stdout.read(answer["bytes"])) == answer["bytes"]
        process.stdout.close()
        process.stdin.write(job)
        process.stdin.flush()
        assert process.wait(10) == 0 and process.stderr.read() == b""
        process.stdin.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_at_an_interrupt(page: pathlib.Path, number: signal.Signals) -> None:
    import loupe_render._command

    with subprocess.Popen(
        [loupe._command.command(), "batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"no job\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(10) == -number and process.stderr.read() == b""
