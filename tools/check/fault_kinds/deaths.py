"""Signals at random moments: what stands afterwards is old or new and whole, and the next run ends the work."""
import json
import os
import random
import shutil
import signal
import subprocess
import time

from .place import SESSION, Mismatch, Place, unpacked

FRAMES = [f"out/{number:04}.png" for number in range(12)]
JOBS = 8


def job(number):
    return json.dumps({
        "input": "page.png", "output": f"out/{number}.png", "map": f"out/{number}.json", "margin": 4 + number,
        "at": [60, 50], "zoom": 2 + number % 3})


# By name: the arguments, and the files that they write.
WORK = {
    "batch": (["batch", "jobs.jsonl", "--resume", "--quiet"],
              [f"out/{number}.{kind}" for number in range(JOBS) for kind in ("png", "json")]),
    "frames": (["replay", "session.json", "-o", "out/%04d.png", "--resume"], FRAMES),
    "apng": (["replay", "session.json", "-o", "out/a.apng"], ["out/a.apng"]),
    "raw": (["replay", "session.json", "-o", "out/a.rgba", "--states", "out/a.jsonl"], ["out/a.rgba", "out/a.jsonl"]),
    "sheet": (["replay", "session.json", "-o", "out/a.png", "--sheet", "3x3"], ["out/a.png"]),
    "render": (["page.png", "-o", "out/a.png", "--margin", "300", "--map", "out/a.json"], ["out/a.png", "out/a.json"]),
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def check(command, options):
    chance = random.Random(options.seed)
    count = 0
    with Place(command) as place:
        place.put("session.json", SESSION)
        place.put("jobs.jsonl", "\n".join(map(job, range(JOBS))))
        library = place.folder / "no-tmpfile.so"
        subprocess.run(
            f"$(command -v clang || command -v cc) -shared -fPIC -o {library} "
            f"{command.root}/tools/check/fault_kinds/no-tmpfile.c -ldl", shell=True, check=True)
        for name, (arguments, outputs) in WORK.items():
            whole, seconds = undisturbed(command, place, arguments)
            if sorted(whole) != sorted(outputs):
                raise Mismatch(f"{name}: it writes {sorted(whole)}")
            for trial in range(options.trials):
                environment = {"LD_PRELOAD": str(library)} if chance.random() < 0.5 else {}
                try:
                    die(command, place, name, whole, seconds, environment, chance)
                except Mismatch as mismatch:
                    raise Mismatch(f"{name}, trial {trial}, {environment or 'nameless files'}: {mismatch}")
                count += 1
    return f"{count} deaths, each followed by a run that ended the work"


def clear(place):
    shutil.rmtree(place.folder / "out", ignore_errors=True)
    (place.folder / "out").mkdir()


def undisturbed(command, place, arguments):
    """What a run writes, and how long it takes."""
    clear(place)
    began = time.monotonic()
    code, _, errors = command.run(arguments, place.folder)
    if code != 0 or errors:
        raise Mismatch(f"{' '.join(arguments)}: code {code}: {errors}")
    return place.contents("out"), time.monotonic() - began


def put_old(place, name, whole, chance):
    """Some outputs are there already: whole ones of before, and for numbered frames also cut ones, which count for nothing."""
    old = {}
    for path, content in whole.items():
        kind = chance.choice(["none", "old", "cut", "done"])
        if kind == "none" or (kind == "done" and name != "frames"):
            continue
        if kind == "old" and name == "frames":
            continue
        old[path] = content if kind == "done" else content[:len(content) // 2] if kind == "cut" else b"old " + content
        (place.folder / path).write_bytes(old[path])
        # Older than the page, so that --resume of a batch does it again.
        if kind != "done":
            os.utime(place.folder / path, (1e9, 1e9))
    return old


def die(command, place, name, whole, seconds, environment, chance):
    clear(place)
    old = put_old(place, name, whole, chance)
    number = chance.choice(SIGNALS)
    process = command.start(WORK[name][0], place.folder, environment)
    time.sleep(chance.uniform(0, seconds * 1.1))
    process.send_signal(number)
    twice = number != signal.SIGKILL and chance.random() < 0.2
    if twice:
        time.sleep(chance.uniform(0, 0.01))
        process.send_signal(number)
    _, errors = process.communicate()
    judge_end(process.returncode, number, twice, errors.decode())
    judge_files(place.contents("out"), old, whole, number)
    code, _, errors = command.run(WORK[name][0], place.folder, environment)
    if code != 0 or errors:
        raise Mismatch(f"the next run ended with {code}: {errors}")
    judge_same(place.contents("out"), whole, old)


def judge_end(code, number, twice, errors):
    """Ended by the signal, or as a shell tells of that, or the work was done already. The second of two signals ends at
    once what is about to end, so that it may have said so."""
    if code not in (0, -number, 128 + number):
        raise Mismatch(f"{number.name}: code {code}: {errors}")
    sentences = errors.count("\n")
    told = sentences == 1
    if sentences > 1 or told != (code == 128 + number) and not (told and twice and code == -number):
        raise Mismatch(f"{number.name}: code {code}, and it says: {errors}")


def judge_files(found, old, whole, number):
    for path, content in found.items():
        if path not in whole:
            if number == signal.SIGKILL and path.startswith("out/.loupe-"):
                continue
            raise Mismatch(f"{number.name} left {path} behind")
        if content != old.get(path) and unpacked(content) != unpacked(whole[path]):
            raise Mismatch(f"{number.name}: {path} is neither the old file nor the new one")
    if lost := set(old) - set(found):
        raise Mismatch(f"{number.name}: lost: {sorted(lost)}")


def judge_same(found, whole, old):
    for path in sorted(set(found) | set(whole)):
        if unpacked(found.get(path, b"")) != unpacked(whole.get(path, b"")):
            what = "too many" if path not in whole else "missing" if path not in found else (
                "the old one" if found[path] == old.get(path) else "not as undisturbed")
            raise Mismatch(f"after the next run {path} is {what}")
