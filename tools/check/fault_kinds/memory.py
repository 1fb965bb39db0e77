"""Too little memory: a picture, or a sentence; never a trap and never a wait without end."""
import resource
import struct

from .place import SESSION, Mismatch, Place, judged, unpacked

# By name: the arguments and the output. Each shows a page of 12 million pixels or draws as many.
WORK = {
    "render": (["page.png", "-o", "out", "--canvas", "4000x3000", "--no-metadata"], "out"),
    "large page": (["large.png", "-o", "out", "--canvas", "4000x3000", "--no-metadata", "--stream-from", "1"], "out"),
    "16 bits": (["page.png", "-o", "out", "--canvas", "2000x1500", "--no-metadata", "--depth", "16"], "out"),
    "JPEG": (["large.jpg", "-o", "out", "--canvas", "800x600", "--no-metadata"], "out"),
    "reference": (["large.png", "-o", "out", "--canvas", "400x300", "--no-metadata", "--reference"], "out"),
    "large reference": (
        ["page.png", "-o", "out", "--canvas", "1600x1200", "--page-filter", "nearest", "--no-metadata", "--reference"],
        "out"),
    "diff": (["diff", "large.png", "other.png", "--quiet", "-o", "out"], "out"),
    "replay": (["replay", "large.json", "-o", "out", "--format", "raw"], "out"),
    "APNG": (["replay", "large.json", "-o", "out", "--format", "apng"], "out"),
}
LIMITS = {"address space": resource.RLIMIT_AS, "data": resource.RLIMIT_DATA}
MIB = 1 << 20


def check(command, options):
    outcomes = {}
    with Place(command) as place:
        prepare(command, place)
        starts = {limit: least(command, place, limit) for limit in LIMITS}
        for name, (arguments, output) in WORK.items():
            for limit, resource_number in LIMITS.items():
                try:
                    sweep(command, place, arguments, output, resource_number, steps(starts[limit], options), outcomes)
                except Mismatch as mismatch:
                    raise Mismatch(f"{name}, {limit} limited: {mismatch}")
    return ", ".join(f"{count} × {outcome}" for outcome, count in sorted(outcomes.items(), key=str))


def least(command, place, limit):
    """The least limit, in MiB, with which the command can say its version.

    Below it the loader or the language's runtime ends the process, before the command's first line runs: in Swift 6.3 by a
    signal in a band of some 100 kB.
    """
    for size in range(8, 200):
        if command.run(["--version"], place.folder, preexec_fn=bound(LIMITS[limit], size))[0] == 0:
            return size
    raise Mismatch(f"{limit} limited: --version takes more than 200 MiB")


def bound(limit, size):
    return lambda: resource.setrlimit(limit, (size * MIB, size * MIB))


def steps(start, options):
    """In MiB; finer where more trials are asked for."""
    return range(start, 1000, 70 if options.trials < 100 else 17)


def prepare(command, place):
    for arguments in (
        ["page.png", "-o", "large.png", "--canvas", "4000x3000"],
        ["page.png", "-o", "other.png", "--canvas", "4000x3000", "--at", "900,900"],
    ):
        code, _, errors = command.run(arguments, place.folder)
        if code != 0:
            raise Mismatch(errors)
    place.put("large.json", SESSION.replace('"width": 240, "height": 180', '"width": 2400, "height": 1800'))
    (place.folder / "large.jpg").write_bytes(grey_jpeg(4000, 3000))


def grey_jpeg(width, height):
    """Every block is two codes of zeros: no difference, and the block's end (ITU-T T.81)."""
    def segment(marker, content):
        return b"\xff" + bytes([marker]) + struct.pack(">H", len(content) + 2) + content

    def table(number, length):
        return bytes([number]) + bytes(int(place == length) for place in range(1, 17)) + b"\0"

    bits = 6 * (width // 8) * (height // 8)
    return (b"\xff\xd8" + segment(0xdb, b"\0" + b"\1" * 64)
            + segment(0xc0, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
            + segment(0xc4, table(0, 2)) + segment(0xc4, table(0x10, 4))
            + segment(0xda, b"\1\1\0\0\x3f\0") + bytes(bits // 8) + b"\xff\xd9")


def sweep(command, place, arguments, output, limit, sizes, outcomes):
    path = place.folder / output
    code, _, errors = command.run(arguments, place.folder, seconds=300)
    if code not in (0, 1) or errors:
        raise Mismatch(f"without a limit: code {code}: {errors}")
    whole = path.read_bytes()
    for size in sizes:
        path.unlink(missing_ok=True)
        found, _, errors = command.run(arguments, place.folder, seconds=120, preexec_fn=bound(limit, size))
        outcome = judge(found, code, errors, f"{size} MiB")
        if outcome == "done" and unpacked(path.read_bytes()) != unpacked(whole):
            raise Mismatch(f"{size} MiB: another picture")
        if outcome != "done" and path.exists():
            raise Mismatch(f"{size} MiB: code {found}, and yet there is a picture")
        outcomes[outcome] = outcomes.get(outcome, 0) + 1


def judge(found, code, errors, size):
    if found == code and not errors:
        return "done"
    try:
        return judged(found, errors, (65, 66, 69, 70))
    except Mismatch as mismatch:
        raise Mismatch(f"{size}: {mismatch}")
