"""Hostile pages: headers that promise more than there is, and PDFs that draw themselves; a sentence, soon and in little memory."""
import resource
import struct
import zlib

from .place import Mismatch, Place, judged

MIB = 1 << 20
# By the page's name: the arguments.
DOORS = [["render", "{}", "-o", "out.png", "--at", "50%,50%"], ["render", "{}", "-o", "out.pdf"], ["check", "{}"],
         ["diff", "{}", "{}"], ["live", "{}", "-o", "out.html"], ["batch", "{}.jsonl"]]


def check(command, options):
    ends = {"drawn": 0, "refused": 0}
    with Place(command) as place:
        for name, (content, memory) in pages().items():
            (place.folder / name).write_bytes(content)
            place.put(f"{name}.jsonl", f'{{"input": "{name}", "output": "out.png"}}\n')
            for door in DOORS:
                arguments = [word.format(name) for word in door] + ["--max-memory", "600M"]
                bound = lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory * MIB,) * 2)  # noqa: B023, E731
                code, _, errors = command.run(arguments, place.folder, seconds=60, preexec_fn=bound)
                # Of a drawn page that is empty, which is right.
                errors = "\n".join(line for line in errors.splitlines() if "shows one colour alone" not in line)
                try:
                    judged(code, errors, (1, 65) if code else (0,), counts=(1, 2) if code else (0,))
                except Mismatch as mismatch:
                    raise Mismatch(f"{' '.join(arguments)}: {mismatch}")
                ends["refused" if code else "drawn"] += 1
    return ", ".join(f"{count} × {end}" for end, count in ends.items())


def pages():
    """Pages by name: the bytes, and the memory that is enough to refuse or draw them, in MiB."""
    header = struct.pack(">IIBBBBB", 8323104, 13462, 8, 6, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + header + struct.pack(">I", zlib.crc32(b"IHDR" + header))
    jpeg = b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff\3\1\x11\0\2\x11\0\3\x11\0\xff\xd9"
    webp = b"RIFF\x1e\0\0\0WEBPVP8L\x11\0\0\0\x2f\xff\xff\xff\x0f" + bytes(13)
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>"
    function = b"<</FunctionType 3/Domain[0 1]/Functions[6 0 R 6 0 R]/Bounds[0.5]/Encode[0 1 0 1]>>"
    shading = b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 9 0]/Function 6 0 R>>"
    return {
        "header.png": (png, 300), "header.jpg": (jpeg, 300), "header.webp": (webp, 300),
        "form.pdf": (pdf(b"/X Do", b"/XObject<</X 5 0 R>>", stream(form, b"0 0 5 5 re f /X Do"), b"<<>>"), 900),
        "function.pdf": (pdf(b"/S sh", b"/Shading<</S 5 0 R>>", shading, function), 900)}


def stream(entries, content):
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (entries, len(content), content)


def pdf(content, resources, *objects):
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<%b>>>>" % resources
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream(b"", content), *objects]
    text = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, one) for number, one in enumerate(objects, 1))
    return b"%PDF-1.5\n" + text + b"trailer<</Root 1 0 R>>\n%%EOF"
