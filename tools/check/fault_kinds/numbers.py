"""Numbers at the ends of their range wherever numbers are read: scenes, sessions, options and pictures of light. Each run ends with a
picture or a sentence, never by a signal."""
import json
import random
import re
import shutil
import struct

from .place import Mismatch, Place

ENDS = [0, -1, 5e-324, -5e-324, 1e-310, 1e-300, 1e-30, 1e-9, 0.1, 1e9, 1e19, 1e300, 1.7976931348623157e308, -1e300]
WORDS = [*(repr(number) for number in ENDS), "inf", "nan", "0x10", "", "1e999", "9223372036854775808", "-9223372036854775808"]
# Of options, by what is drawn with them; {} is the number.
OPTIONS = {
    "render": ["--zoom={}", "--radius={}", "--at={0},{0}", "--at={0}%,{0}%", "--focus={0},{0}", "--margin={}", "--corner={}",
               "--corner=4:{}", "--scale={}", "--width={}mm", "--height={}in", "--dpi={}", "--pixel-size={}nm", "--rim-width={}",
               "--max-memory={}", "--max-pixels={}", "--svg-timeout={}", "--loupe=at={0},{0} radius={0} zoom={0}", "--canvas={0}x{0}"],
    "replay": ["--from={}", "--to={}", "--scale={}", "--scene-at={}", "--every={}"],
    "crops": ["--exposure={}", "--width={}in", "--zoom={}", "--region={0},{0},{0},{0}", "--dpi={}"],
    "diff": ["--tolerance={}", "--threshold={} --metric=yiq", "--max-pixels={}", "--max-ratio={}", "--max-mean={} --metric=flip",
             "--pixels-per-degree={} --metric=flip", "--ignore={0},{0},{0},{0}"],
    "check": ["--width={}mm", "--min-text={}", "--min-line={}", "--min-dpi={}"],
    "inspect": ["--at={0},{0}", "--size={}"],
}
SCENE = {
    "canvas": {"width": 60, "height": 40},
    "layers": [{"image": "page.png", "rect": [2, 3, 50, 30], "corner": {"radius": 6, "exponent": 4}, "opacity": 0.9,
                "strokes": [{"points": [[4, 6], [12, 9]], "width": 3, "color": "#202020"}]}],
    "loupes": [{"center": [20.5, 20.5], "radius": 9, "zoom": 2, "focus": [15, 15], "rim": {"width": 2, "color": "#fff"},
                "shadow": {"offset": [0, 1], "blur": 4}, "callout": {"ring": {"width": 2, "color": "#f00"}}}],
    "pixelSize": "1um", "scaleBars": [{"length": "10um", "size": 5}]}


def places(value, path=()):
    """The paths of all numbers of a document."""
    if isinstance(value, bool):
        return []
    if isinstance(value, (int, float)):
        return [path]
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    return [found for key, member in members for found in places(member, (*path, key))]


def changed(document, path, number):
    document = json.loads(json.dumps(document))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = number
    return document


def light(number):
    """A map of floats that is black but for one pixel."""
    return b"PF\n4 4\n-1.0\n" + struct.pack("<48f", *[0] * 24, number, *[0] * 23)


def check(command, options):
    rolled, ends = random.Random(options.seed), {}
    examples = command.root / "examples/motion"
    with Place(command) as place:
        shutil.copytree(command.root / "examples", place.folder / "examples")
        (place.folder / "f.pfm").write_bytes(light(1))

        def run(arguments, seconds=60):
            limit = [] if "--max-memory" in " ".join(arguments) else ["--max-memory", "600M"]
            code, _, errors = command.run([*arguments, *limit], place.folder, {"LOUPE_NO_SYNC": "1"}, seconds)
            if code not in (0, 1, 64, 65, 66):
                raise Mismatch(f"{' '.join(arguments)}: code {code}, it says: {errors[:600]}")
            ends[code] = ends.get(code, 0) + 1

        scene = [("scene.json", ["--reference"] if number % 2 else ["--device", "cpu"], SCENE, path)
                 for number, path in enumerate(places(SCENE) * 2)]
        for name, drawn, document, path in scene:
            for number in rolled.sample(ENDS, 3):
                place.put(name, json.dumps(changed(document, path, number)))
                run(["render", name, "-o", rolled.choice(["o.png", "o.svg"]), *drawn])
        for session in sorted(examples.glob("*.json")):
            document = json.loads(session.read_text())
            # Of a long trace a few samples are enough.
            found = places({key: value for key, value in document.items() if key != "trace"})
            for path in rolled.sample(found, min(len(found), 12)):
                target = place.folder / "examples/motion/changed.json"
                target.write_text(json.dumps(changed(document, path, rolled.choice(ENDS))))
                run(["replay", str(target), "--allow-outside", "--dry-run", "--states", "states.csv", "--to", "0.5"])
        for number in [0, 1e-45, 1e-38, -1e-38, 1e-30, 3e38, -3e38, float("inf"), float("nan")]:
            (place.folder / "g.pfm").write_bytes(light(number))
            run(["crops", "--reference", "g.pfm", "f.pfm", "g.pfm", "--titles", "a,b,c", "-o", "o.png"])
        for name, words in OPTIONS.items():
            inputs = {"replay": ["examples/motion/tilt.json", "--allow-outside", "--dry-run"], "diff": ["page.png", "page.png"],
                      "crops": ["--reference", "f.pfm", "f.pfm", "--titles", "a,b", "-o", "o.png"],
                      "render": ["page.png", "-o", "o.png"]}.get(name, ["page.png"])
            for word in words:
                for number in rolled.sample(WORDS, 6):
                    # A number may hold blanks or nothing, so words are parted before it is put in.
                    run([name, *inputs, *(part.format(number) for part in re.split(" (?=--)", word))])
    return ", ".join(f"{count} × code {code}" for code, count in sorted(ends.items()))
