"""Every step that can fail, one after the other: the n-th allocation and the n-th system call of each kind."""
import errno
import json
import random
import shutil
import subprocess

from .place import SESSION, Mismatch, Place, judged, sentences, unpacked

SCENE = '{"canvas": {"width": 60, "height": 40}, "layers": [{"image": "page.png", "rect": [10, 5, 40, 30]}]}'
JOBS = "\n".join(
    json.dumps({"input": "page.png", "output": f"out/{number}.png", "at": [60, 50], "radius": 9 + number})
    for number in range(3))

# By name: the arguments, and the files that they write.
WORK = {
    "help": (["--help"], []),
    "print scene": (["page.png", "--at", "60,50", "--print-scene"], []),
    "render": (["page.png", "--at", "60,50", "-o", "out/a.png", "--map", "out/a.json"], ["out/a.png", "out/a.json"]),
    "reference": (["page.png", "--canvas", "90x60", "-o", "out/a.png", "--reference"], ["out/a.png"]),
    "inspect": (["inspect", "page.png", "--at", "60,50", "--json", "out/a.json"], ["out/a.json"]),
    "diff": (
        ["diff", "page.png", "page.png", "--quiet", "-o", "out/a.png", "--json", "out/a.json", "--junit", "out/a.xml"],
        ["out/a.png", "out/a.json", "out/a.xml"]),
    "verify": (
        ["verify", "scenes", "--quiet", "--report", "out/a.html", "--json", "out/a.json"],
        ["out/a.html", "out/a.json"]),
    "frames": (
        ["replay", "session.json", "-o", "out/%02d.png", "--to", "0.1"], [f"out/0{number}.png" for number in range(2)]),
    "APNG": (["replay", "session.json", "-o", "out/a.apng", "--to", "0.1"], ["out/a.apng"]),
    "raw": (
        ["replay", "session.json", "-o", "out/a.rgba", "--states", "out/a.jsonl", "--to", "0.1"],
        ["out/a.rgba", "out/a.jsonl"]),
    "WebP": (["replay", "session.json", "-o", "out/a.webp", "--to", "0.1"], ["out/a.webp"]),
    "sheet": (["replay", "session.json", "-o", "out/a.png", "--sheet", "2x1", "--to", "0.1"], ["out/a.png"]),
    "charts": (
        ["replay", "session.json", "--dry-run", "--plot", "out/a.svg", "--curve", "out/a.css", "--states", "out/a.csv"],
        ["out/a.svg", "out/a.css", "out/a.csv"]),
    "batch": (["batch", "jobs.jsonl", "--quiet"], [f"out/{number}.png" for number in range(3)]),
    "devices": (["devices", "--json", "out/a.json"], ["out/a.json"]),
    "deep": (["page.png", "--at", "60,50", "-o", "out/a.png", "--depth", "16"], ["out/a.png"]),
    # With helper processes, whose steps fail, too.
    "SVG": (["drawing.svg", "--at", "60,50", "-o", "out/a.png"], ["out/a.png"]),
    "PDF": (["page.pdf", "-o", "out/a.png"], ["out/a.png"]),
    "letters": (["page.png", "--at", "60,50", "--letters", "a", "-o", "out/a.png"], ["out/a.png"]),
    "vector PDF": (["page.png", "--at", "60,50", "-o", "out/a.pdf"], ["out/a.pdf"]),
    "vector SVG": (["page.png", "--at", "60,50", "-o", "out/a.svg"], ["out/a.svg"]),
    "live": (["live", "page.png", "--at", "60,50", "-o", "out/a.html"], ["out/a.html"]),
    "live session": (["live", "session.json", "--record", "-o", "out/a.html"], ["out/a.html"]),
    "check": (["check", "page.pdf", "--quiet", "--min-dpi", "1", "--json", "out/a.json"], ["out/a.json"]),
    "folders": (
        ["diff", "folder", "folder", "--quiet", "--report", "out/a.html", "--json", "out/a.json"],
        ["out/a.html", "out/a.json"]),
    "report": (
        ["report", "merge", "results.json", "--quiet", "--report", "out/a.html", "--json", "out/a.json"],
        ["out/a.html", "out/a.json"]),
    "trace": (["trace", "convert", "touches.csv", "-o", "out/a.jsonl"], ["out/a.jsonl"]),
}
# The commands that are left out: the times of `bench` are other ones in each run, and `cost` needs what tools/measure/setup-cost fetches.
TOUCHES = "t,id,x,y,phase\n0,1,5,5,began\n0,2,50,50,began\n0.1,1,6,6,moved\n0.2,1,6,6,ended\n0.2,2,90,90,ended\n"
# Prepared before: the files that other work reads.
PREPARED = [
    ["verify", "scenes", "--update", "missing", "--allow-outside", "--quiet"],
    ["verify", "scenes", "--allow-outside", "--quiet", "--json", "results.json"],
    ["page.png", "--at", "60,50", "-o", "page.pdf"],
]

# By the kind of call (fail-nth.c): the errors that it can have.
CALLS = {
    "memory": ["ENOMEM"],
    "mmap": ["ENOMEM"],
    "thread": ["EAGAIN"],
    "open": ["EACCES", "EMFILE", "EIO"],
    "read": ["EIO"],
    "fstat": ["EIO"],
    "write": ["ENOSPC", "EIO"],
    "rename": ["EIO", "EACCES"],
    "link": ["EIO", "EPERM"],
    "fsync": ["EIO"],
    "ftruncate": ["EIO"],
    "fchmod": ["EPERM"],
    "mkdir": ["EACCES"],
    "stat": ["EACCES", "EIO"],
    "close": ["EIO"],
    "pipe": ["EMFILE"],
    "process": ["EAGAIN", "ENOMEM"],
}
CODES = (1, 65, 66, 69, 70, 73)
# How many sentences work in parts has: one for each job and one for the whole; a case or a file that fails stands in the
# report.
SENTENCES = {"batch": range(1, 5), "verify": range(2), "folders": range(2)}


def check(command, options):
    chance = random.Random(options.seed)
    outcomes = {}
    with Place(command) as place:
        library = place.folder / "fail-nth.so"
        subprocess.run(
            f"$(command -v clang || command -v cc) -shared -fPIC -O1 -w -o {library} "
            f"{command.root}/tools/check/fault_kinds/fail-nth.c -ldl", shell=True, check=True)
        place.put("session.json", SESSION)
        place.put("scenes/one.json", SCENE.replace("page.png", "../page.png"))
        place.put("jobs.jsonl", JOBS)
        place.put("touches.csv", TOUCHES)
        (place.folder / "folder").mkdir()
        shutil.copy(place.folder / "page.png", place.folder / "folder")
        shutil.copy(command.root / "reference-images/pages/emblem.svg", place.folder / "drawing.svg")
        for arguments in PREPARED:
            command.run(arguments, place.folder)
        for name, (arguments, outputs) in WORK.items():
            arguments = arguments + ["--allow-outside"] * (name == "verify")
            for call, errors in CALLS.items():
                steps(command, place, library, name, arguments, outputs, call, errors, options.trials, chance, outcomes)
    return ", ".join(f"{count} × {outcome}" for outcome, count in sorted(outcomes.items(), key=str))


def steps(command, place, library, name, arguments, outputs, call, errors, trials, chance, outcomes):
    """Makes each call fail in turn, or where there are many the first ones and a sample of the others."""
    code, said, whole = run(command, place, arguments, outputs, {}, None)
    if code != 0 or sorted(whole) != sorted(outputs):
        raise Mismatch(f"{name}: code {code}, it writes {sorted(whole)}: {said}")
    counter = place.folder / "count"
    counter.unlink(missing_ok=True)
    run(command, place, arguments, outputs, {"LD_PRELOAD": library, "FAIL_CALL": call, "FAIL_COUNT": counter}, None)
    # Of the process that has most.
    total = max(map(int, counter.read_text().split()))
    chosen = range(1, total + 1)
    if total > trials:
        first = max(1, trials // 2)
        chosen = [*range(1, first + 1), *sorted(chance.sample(range(first + 1, total + 1), trials - first))]
    for number in chosen:
        error = chance.choice(errors)
        environment = {"LD_PRELOAD": library, "FAIL_CALL": call, "FAIL_AT": number, "FAIL_ERRNO": getattr(errno, error)}
        if chance.random() < 0.5:
            environment["FAIL_ALWAYS"] = 1
        old = {path: b"old" for path in outputs if chance.random() < 0.5}
        try:
            outcome = judge(*run(command, place, arguments, outputs, environment, old), old, whole, SENTENCES.get(name, (1,)))
            code, said, _ = run(command, place, arguments, outputs, {}, None, clear=False)
            if code != 0 or said:
                raise Mismatch(f"the next run ended with {code}: {said}")
            if left := set(place.contents("out")) - set(outputs):
                raise Mismatch(f"after the next run there is {sorted(left)}")
        except Mismatch as mismatch:
            variables = " ".join(f"{key}={value}" for key, value in environment.items())
            raise Mismatch(f"{name}, {call} {number} of {total}: {mismatch}\n    {variables} {' '.join(arguments)}")
        outcomes[outcome] = outcomes.get(outcome, 0) + 1


def run(command, place, arguments, outputs, environment, old, clear=True):
    """The exit code, standard error, and what the folder of outputs holds then."""
    folder = place.folder / "out"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir() if clear else ():
        path.unlink()
    for path, content in (old or {}).items():
        (place.folder / path).write_bytes(content)
    variables = {key: str(value) for key, value in environment.items()}
    code, _, errors = command.run(arguments, place.folder, environment=variables, seconds=60)
    return code, errors, {path: unpacked(content) for path, content in place.contents("out").items()}


def judge(code, errors, found, old, whole, counts):
    for path, content in found.items():
        if path not in whole:
            if path.startswith("out/.loupe-"):
                continue
            raise Mismatch(f"code {code}, {errors}: it left {path} behind")
        if content not in (old.get(path), whole[path]) and not path.endswith(("json", "html", "xml")):
            raise Mismatch(f"code {code}, {errors}: {path} is neither the old file nor the new one")
        if content != old.get(path) and path.endswith(("json", "html", "xml")) and content[-1:] != whole[path][-1:]:
            raise Mismatch(f"code {code}, {errors}: {path} is torn")
    if lost := set(old) - set(found):
        raise Mismatch(f"code {code}, {errors}: lost {sorted(lost)}")
    if code == 0:
        if sentences(errors):
            raise Mismatch(f"code 0, and yet it says: {errors}")
        if missing := [path for path in whole if found.get(path) == old.get(path)]:
            raise Mismatch(f"code 0, and yet {missing} are not there")
        return "done"
    return judged(code, errors, CODES, counts)
