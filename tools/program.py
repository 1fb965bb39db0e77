"""What Python tools begin with: the project's folder, the command, packages of PyPI, and what has to hold."""
import os
import pathlib
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[1]
began = time.monotonic()
problems = []


def inside(folder, *packages):
    """Runs this script again in an environment of Python with some packages, in a folder of the project."""
    environment = ROOT / folder
    if not (environment / "installed").exists():
        print(f"installing {', '.join(packages)} into {folder}", file=sys.stderr)
        venv.create(environment, with_pip=True)
        subprocess.run([environment / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)
        (environment / "installed").touch()
    if pathlib.Path(sys.prefix) != environment:
        os.execv(environment / "bin/python", [str(environment / "bin/python"), *sys.argv])


def command(*build):
    """The path of loupe-render: LOUPE_RENDER, or what is built, by tools/build where nothing else is given."""
    path = os.environ.get("LOUPE_RENDER") or require(*(build or ["tools/build"]), cwd=ROOT, stderr=None).stdout.strip()
    return pathlib.Path(path).resolve()


def require(*words, **options):
    """Runs a program that has to succeed; its output is text."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    done = subprocess.run([str(word) for word in words], **options)
    if done.returncode:
        tool = "/".join(pathlib.Path(sys.argv[0]).resolve().parts[-2:])
        sys.exit(f"{tool}: {' '.join(map(str, words))} ended with {done.returncode}\n{done.stdout or ''}{done.stderr or ''}")
    return done


def say(text):
    """Prints a line with the time since the start, in minutes and seconds."""
    seconds = int(time.monotonic() - began)
    print(f"{seconds // 60:3}:{seconds % 60:02}  {text}", flush=True)


def expect(holds, what, details=""):
    """Notes a problem and continues."""
    if not holds:
        problems.append(what)
        say(f"✘ {what}" + (f"\n{details}" if details else ""))
