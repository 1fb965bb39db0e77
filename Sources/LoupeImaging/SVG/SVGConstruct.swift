import LoupeBase
import LoupeSystem
import Synchronization

/// A construct of SVG that librsvg leaves out, or that some versions leave out. Whether the installed one draws it is found by drawing.
struct SVGConstruct: Sendable {
    /// How to see whether the installed version draws it.
    private enum Probe {
        /// It draws the first content as it draws the second.
        case like(String, String)
        /// It draws the first content otherwise than the second, in which the construct is left out.
        case unlike(String, String)
        /// No version draws it; a browser does.
        case never
        /// Neither does a browser.
        case nowhere
    }

    /// For a sentence.
    private let name: String
    /// Texts in the markup of a document with the construct.
    private let marks: [String]
    private let probe: Probe
    /// How often it stands there without a mark.
    private let count: @Sendable (SVGMarkup) -> Int
    /// How a mark goes on where it means nothing.
    private let exceptions: [String]
    /// Whether it matters in a document.
    private let matters: @Sendable (SVGMarkup) -> Bool

    private init(
        _ name: String, _ marks: [String], _ probe: Probe, but exceptions: [String] = [],
        count: @escaping @Sendable (SVGMarkup) -> Int = { _ in 0 },
        where matters: @escaping @Sendable (SVGMarkup) -> Bool = { _ in true }
    ) {
        (self.name, self.marks, self.probe, self.exceptions) = (name, marks, probe, exceptions)
        (self.count, self.matters) = (count, matters)
    }

    private static let square = #"<rect width="20" height="20" fill="red"/>"#
    private static let text = letters()

    /// The marks of a property with a value that begins so, as a declaration and as an attribute.
    private static func declared(_ property: String, _ values: String...) -> [String] {
        values.flatMap { [";\(property):\($0)", " \(property)=\"\($0)"] }
    }

    private static let baselines = [
        "hanging", "middle", "central", "mathematical", "ideographic", "text-", "before-edge", "after-edge",
    ]

    private static func letters(_ attributes: String = "", _ content: String = "ii") -> String {
        #"<text y="15" font-size="14" \#(attributes)>\#(content)</text>"#
    }

    /// A square in a style of CSS.
    private static func styled(_ style: String) -> String {
        #"<rect width="20" height="20" fill="red" style="\#(style)"/>"#
    }

    /// By their marks in an `SVGMarkup`.
    private static let all = [
        SVGConstruct(
            "text on a path (textPath)", ["<textpath"],
            .like(
                ##"<path id="p" fill="none" d="M0 15H20"/><text font-size="14"><textPath href="#p">ii</textPath></text>"##,
                text)),
        SVGConstruct(
            "CSS variables (var() and env())", ["var(--", "env("],
            .like(##"<g style="--c:#f00"><rect width="20" height="20" style="fill:var(--c)"/></g>"##, square)),
        SVGConstruct(
            "transform-origin", [";transform-origin:", " transform-origin=", ";transform-box:", " transform-box="],
            .like(
                #"<rect width="10" height="10" style="transform:rotate(180deg);transform-origin:10px 10px"/>"#,
                #"<rect x="10" y="10" width="10" height="10"/>"#), but: ["0 0\"", "0px 0px\"", "0 0;", "0px 0px;"],
            where: { $0.count(of: " transform=\"") + $0.count(of: ";transform:") > 0 }),
        SVGConstruct(
            "dominant-baseline", baselines.flatMap { declared("dominant-baseline", $0) },
            .unlike(letters(#"dominant-baseline="hanging""#, "M"), letters("", "M"))),
        SVGConstruct(
            "alignment-baseline", baselines.flatMap { declared("alignment-baseline", $0) },
            .unlike(letters("", #"<tspan alignment-baseline="hanging">M</tspan>"#), letters("", "M"))),
        SVGConstruct(
            "feDropShadow", ["<fedropshadow"],
            .like(
                ##"<filter id="f"><feDropShadow stdDeviation="0" dx="0" dy="0"/></filter><g filter="url(#f)">\##(square)</g>"##,
                square)),
        SVGConstruct(
            "shapes in clip-path (circle(), inset(), …)",
            declared("clip-path", "circle(", "ellipse(", "inset(", "polygon(", "path(", "rect(", "xywh("),
            .like(styled("clip-path:circle(6px at 10px 10px)"), #"<circle cx="10" cy="10" r="6" fill="red"/>"#)),
        SVGConstruct(
            "masks of CSS",
            [
                " clip-path=\"…-box", ";mask-image:", ";mask-mode:", ";mask-composite:", ";mask:linear-",
                ";mask:radial-", ";-webkit-mask",
                ";-webkit-clip-path:", ";mask:…,", ";mask:…) ", ";clip-path:…-box",
            ], .never),
        SVGConstruct(
            "calc(), min() or max()", ["calc(", ":min(", "\"min(", ":max(", "\"max(", ":clamp(", "\"clamp("],
            .like(#"<rect width="calc(10px + 10px)" height="20" fill="red"/>"#, square)),
        SVGConstruct(
            "lengths in rem, ch, Q or parts of the window",
            ["#rem", "#vw", "#vh", "#vmin", "#vmax", "#ch;", "#ch\"", "#q;", "#q\""],
            .like(#"<rect width="1.25rem" height="20" fill="red"/>"#, square)),
        SVGConstruct(
            "vector-effect", ["non-scaling-stroke"],
            .unlike(
                #"<path d="M0 1H2" stroke="black" stroke-width="2" transform="scale(10)" vector-effect="non-scaling-stroke"/>"#,
                #"<path d="M0 1H2" stroke="black" stroke-width="2" transform="scale(10)"/>"#),
            where: { markup in
                let scales = ["scale(", "matrix(", "<svg… viewbox=", "<symbol… viewbox=", "<pattern… viewbox="]
                return markup.unit != 1 || scales.contains { markup.count(of: $0) > 0 }
            }),
        SVGConstruct(
            "dashes with pathLength", [" pathlength="],
            .like(
                #"<path d="M0 10H20" stroke="red" stroke-width="20" pathLength="2" stroke-dasharray="1 1"/>"#,
                #"<rect width="10" height="20" fill="red"/>"#)),
        SVGConstruct(
            "colours as oklch(), lab(), color() or color-mix()",
            [
                "oklch(", "oklab(", ":lab(", "\"lab(", ":lch(", "\"lch(", ":color(", "\"color(", "color-mix(",
                "light-dark(", "(from",
            ],
            .unlike(#"<rect width="20" height="20" fill="oklch(0.7 0.2 30)"/>"#, #"<rect width="20" height="20"/>"#)),
        SVGConstruct(
            "colours of the desktop, and with none",
            ["rgb(none", "hsl(none", ":url()", ":canvas", ":windowtext", ":linktext", ":highlight", ":graytext"],
            .never),
        SVGConstruct(
            "colours as hwb()", ["hwb("], .like(#"<rect width="20" height="20" fill="hwb(0 0% 0%)"/>"#, square)),
        SVGConstruct("textLength", [" textlength="], .unlike(letters(#"textLength="20""#), text)),
        SVGConstruct(
            "spaces at the start of a part of a line (tspan), or line breaks between words", [],
            .like(letters("", "i<tspan> i</tspan>"), letters("", "i i")), count: { $0.lostSpaces }),
        SVGConstruct(
            "white-space", [],
            .unlike(letters(#"style="white-space:pre""#, "  i"), letters("", "  i")),
            count: { markup in
                markup.wideSpaces == 0 ? 0 : declared("white-space", "pre").reduce(0) { $0 + markup.count(of: $1) }
            }),
        SVGConstruct(
            "word-spacing", [";word-spacing:", " word-spacing="],
            .unlike(letters(#"word-spacing="9""#, "i i"), letters("", "i i"))),
        SVGConstruct(
            "small capitals",
            declared("font-variant", "small-caps") + declared("font-variant-caps", "small-caps", "all-small-caps"),
            .unlike(letters(#"font-variant="small-caps""#, "a"), letters("", "a"))),
        SVGConstruct(
            "text-transform", declared("text-transform", "uppercase", "lowercase", "capitalize"),
            .unlike(letters(#"style="text-transform:uppercase""#, "i"), letters("", "i"))),
        SVGConstruct("text-shadow", declared("text-shadow", ""), .never),
        SVGConstruct("text-orientation", declared("text-orientation", "upright"), .never),
        SVGConstruct(
            "lines of text in another style (text-decoration)",
            declared("text-decoration-line", "") + declared("text-decoration", "wavy"), .never),
        SVGConstruct(
            "opacity and filters of a part of a line (tspan)",
            ["<tspan… opacity=", "<tspan…;opacity:", "<tspan… filter=", "<tspan…;filter:"],
            .unlike(letters("", #"<tspan opacity="0.2">ii</tspan>"#), text)),
        SVGConstruct("fonts of the file (@font-face)", ["@font-face", "<font-face", "<font "], .never),
        SVGConstruct(
            "rules for some media (@media, @supports, @layer)",
            ["@media screen", "@media all", "@media(", "@media (", "@supports", "@layer", "@scope", "@container"],
            .like("<style>@media all{rect{fill:red}}</style>" + #"<rect width="20" height="20"/>"#, square),
            but: [
                "prefers-color-scheme:dark", "prefers-reduced-motion", " and (prefers-color-scheme:dark",
                " and (prefers-reduced-motion",
            ]),
        SVGConstruct(
            "that a style sheet is for other media", ["<style… media=\"(", "<style… media=\"print"],
            .like(
                #"<style media="print">rect{fill:red}</style><rect width="20" height="20"/>"#,
                #"<rect width="20" height="20"/>"#)),
        SVGConstruct(
            "selectors such as :is() and :where()", [":is(", ":where(", ":has(", ":dir("],
            .like("<style>:is(rect){fill:red}</style>" + #"<rect width="20" height="20"/>"#, square)),
        SVGConstruct(
            "selectors such as :not(:hover)", [":not(:hover", ":not(:focus", ":not(:active"],
            .like("<style>rect:not(:hover){fill:red}</style>" + #"<rect width="20" height="20"/>"#, square)),
        SVGConstruct("rules within rules", [], .never, count: { $0.nestedRules }),
        SVGConstruct(
            "filter functions such as invert()",
            declared(
                "filter", "invert(", "brightness(", "contrast(", "hue-rotate(", "grayscale(", "sepia(", "saturate("),
            .like(styled("fill:#f00;filter:grayscale(1)"), styled("fill:#363636"))),
        SVGConstruct(
            "filters, clip-path, masks and transforms of symbols",
            ["filter", "clip-path", "mask", "transform"].flatMap { ["<symbol… \($0)=", "<symbol…;\($0):"] },
            .like(
                ##"<symbol id="s" transform="translate(10)"><rect width="20" height="20"/></symbol><use href="#s"/>"##,
                #"<rect x="10" width="10" height="20"/>"#)),
        SVGConstruct(
            "sizes of symbols themselves (width, refX)", [],
            .like(
                ##"<symbol id="s" viewBox="0 0 1 1" width="10" height="10"><rect width="1" height="1"/></symbol><use href="#s"/>"##,
                #"<rect width="10" height="10"/>"#),
            count: { $0.usesOfSizes }),
        SVGConstruct(
            "that symbols are cut (overflow)",
            ["hidden", "clip", "scroll"].flatMap { ["<symbol… overflow=\"\($0)", "<symbol…;overflow:\($0)"] },
            .like(
                ##"<symbol id="s" overflow="hidden"><rect width="20" height="20"/></symbol><use href="#s" width="10" height="20"/>"##,
                #"<rect width="10" height="20"/>"#)),
        SVGConstruct(
            "sizes in percent in symbols without a viewBox", [],
            .like(
                ##"<symbol id="s"><rect width="50%" height="100%"/></symbol><use href="#s" width="10" height="20"/>"##,
                #"<rect width="5" height="20"/>"#), count: { $0.partsOfSymbols }),
        SVGConstruct(
            "images with one side alone", [],
            .like(
                #"<image width="20" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAC0lEQVR42mNg+A8AAQIBANEay48AAAAASUVORK5CYII="/>"#,
                #"<path d="M0 0H10V10H0Z"/><path d="M10 0H20V10H10Z" fill="white"/>"#),
            count: { $0.halfSizedImages }),
        SVGConstruct(
            "BackgroundImage and BackgroundAlpha as inputs of filters",
            [" in=\"background", " in2=\"background"], .never),
        SVGConstruct("parts for other languages (systemLanguage)", [" systemlanguage="], .never),
        SVGConstruct("what a program has to know (requiredExtensions)", [], .never, count: { $0.conditions }),
        SVGConstruct(
            "that CSS needs units in transform", [], .like(styled("transform:translate(10,0)"), square),
            count: { $0.unitlessTransforms }),
        SVGConstruct(
            "SVGs in pictures as sharp as the rest", ["\"data:image/svg+xml"],
            .like(
                #"<image width="20" height="20" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='2' height='2'%3E%3Crect width='1' height='2' fill='red'/%3E%3C/svg%3E"/>"#,
                #"<rect width="10" height="20" fill="red"/>"#)),
        SVGConstruct(
            "gradients without a length", [],
            .like(
                ##"<linearGradient id="g" x1="0" x2="0"><stop/><stop offset="1" stop-color="red"/></linearGradient><rect width="20" height="20" fill="url(#g)"/>"##,
                square), count: { $0.pointGradients }),
        SVGConstruct(
            "that clips keep blending inside", [],
            .like(
                ##"<clipPath id="c"><rect width="20" height="20"/></clipPath><rect width="20" height="20" fill="blue"/><g clip-path="url(#c)"><rect width="20" height="20" fill="red" style="mix-blend-mode:multiply"/></g>"##,
                square), count: { $0.blendsInClips }),
        SVGConstruct(
            "markers of several lines in one path", [],
            .like(
                ##"<marker id="m" markerWidth="8" markerHeight="8" refX="4" refY="4" markerUnits="userSpaceOnUse"><rect width="8" height="8" fill="red"/></marker><path d="M0 5H15M5 15H20" marker-mid="url(#m)"/>"##,
                #"<path d="M11 1H19V9H11ZM1 11H9V19H1Z" fill="red"/>"#), count: { $0.markedLines }),
        SVGConstruct(
            "sizes of letters as words (font-size)",
            declared("font-size", "xx-", "x-", "small", "medium", "large", "smaller"),
            .like(letters(#"style="font-size:medium""#, "M"), letters(#"style="font-size:16px""#, "M"))),
        SVGConstruct(
            "blur() of several colours in sRGB",
            ["g", "image", "use", "svg", "root"].flatMap { ["<\($0)…;filter:blur(", "<\($0)… filter=\"blur("] },
            .like(
                #"<g style="filter:blur(3px)"><rect width="10" height="20" fill="red"/><rect x="10" width="10" height="20" fill="lime"/></g>"#,
                ##"<filter id="f" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="3"/></filter><g filter="url(#f)"><rect width="10" height="20" fill="red"/><rect x="10" width="10" height="20" fill="lime"/></g>"##
            )),
        SVGConstruct(
            "clips and masks of inner svg, of masks and of patterns",
            ["svg", "mask", "pattern"].flatMap { ["<\($0)… clip-path=\"url", "<\($0)…;clip-path:url"] }
                + ["svg", "pattern"].map { "<\($0)… mask=\"url" }, .never),
        SVGConstruct(
            "display and opacity of clips, masks, gradients, patterns and the whole",
            ["clippath", "mask", "lineargradient", "radialgradient", "pattern"].flatMap {
                ["<\($0)… display=\"none", "<\($0)…;display:none"]
            } + [
                "<root… display=\"none", "<pattern… opacity=", "<pattern…;opacity:", "<mask… transform=",
                "<mask… opacity=",
            ], .never),
        SVGConstruct(
            "transforms by CSS of gradients and patterns, and sizes of inner svg",
            ["pattern", "lineargradient", "radialgradient"].map { "<\($0)…;transform:" }
                + ["width", "height", "x", "y"].map { "<svg…;\($0):" }, .never),
        SVGConstruct("elements in image", ["<image… href=\"#"], .never),
        SVGConstruct("display: contents", declared("display", "contents"), .never),
        SVGConstruct(
            "filters of turned elements", [], .never, count: { $0.turnedFilters },
            where: { markup in
                ["<fetile", "<feimage", "<feturbulence", "<feoffset"].contains { markup.count(of: $0) > 0 }
            }),
        SVGConstruct(
            "selectors such as :lang() and :defined", [":lang(", ":defined", ":any-link", ":link;"], .never),
        SVGConstruct("kernelUnitLength", [" kernelunitlength="], .never),
        SVGConstruct(
            "values such as initial, unset or revert",
            [":initial", ":unset", ":revert", ";all:"] + ["initial", "unset", "revert"].map { "=\"\($0)\"" },
            .like(#"<g fill="red"><rect width="20" height="20" style="fill:initial"/></g>"#, styled("fill:black"))),
        SVGConstruct(
            "places of use by CSS", ["<use…;x:", "<use…;y:", ";use;x:", ";use;y:"],
            .like(
                ##"<defs>\##(square.replacing("<rect", with: "<rect id='r'"))</defs><use href="#r" style="x:10px"/>"##,
                #"<rect x="10" width="10" height="20" fill="red"/>"#)),
        SVGConstruct(
            "the colour of light in linearRGB", [" lighting-color=", ";lighting-color:"],
            .like(
                ##"<filter id="f" x="0" y="0" width="1" height="1"><feDiffuseLighting lighting-color="#404040" surfaceScale="0"><feDistantLight elevation="90"/></feDiffuseLighting></filter><rect width="20" height="20" filter="url(#f)"/>"##,
                styled("fill:#404040"))),
        SVGConstruct("feComposite lighter", [" operator=\"lighter"], .never),
        SVGConstruct(
            "elements in feImage", ["<feimage… href=\"#"],
            .like(
                ##"<defs>\##(square.replacing("<rect", with: "<rect id='r'"))</defs><filter id="f" x="0" y="0" width="1" height="1"><feImage href="#r"/></filter><rect width="20" height="20" filter="url(#f)"/>"##,
                square)),
        SVGConstruct(
            "image-rendering", declared("image-rendering", "pixelated", "crisp-edges"),
            .like(
                #"<image width="20" height="20" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAAAAADRSSBWAAAAC0lEQVR42mNg+A8AAQIBANEay48AAAAASUVORK5CYII="/>"#,
                #"<path d="M0 0H10V20H0Z"/><path d="M10 0H20V20H10Z" fill="white"/>"#)),
        SVGConstruct(
            "WebP pictures (without the package webp-pixbuf-loader)", ["\"data:image/webp"],
            .like(
                #"<image width="20" height="20" href="data:image/webp;base64,UklGRhwAAABXRUJQVlA4TA8AAAAvAAAAAAcQ/Y/+ByKi/wEA"/>"#,
                square)),
        SVGConstruct("turned JPEGs (EXIF)", [], .never, count: { $0.turnedPictures }),
        SVGConstruct("AVIF pictures", ["\"data:image/avif"], .never),
        SVGConstruct("pictures that are damaged, or of unusual formats", [], .nowhere, count: { $0.brokenPictures }),
        SVGConstruct(
            "pictures of another format than they say",
            ["jpeg", "jpg"].flatMap { ["\"data:image/\($0);base64,ivborw0k", "\"data:image/\($0);base64,uklgr"] }
                + ["\"data:image/png;base64,/9j/", "\"data:image/png;base64,uklgr", "\"data:image/png;base64,r0lgod"]
                + ["\"data:application/octet-stream", "\"data:text/plain"],
            .never),
        SVGConstruct(
            "paths that clip and are clipped", [],
            .like(
                ##"<clipPath id="a"><rect width="10" height="20"/></clipPath><clipPath id="b" clip-path="url(#a)"><rect width="20" height="10"/></clipPath><g clip-path="url(#b)">\##(square)</g>"##,
                #"<rect width="10" height="10" fill="red"/>"#), count: { $0.clippedClips }),
        SVGConstruct(
            "masks that are masked", ["<mask… mask=\"url("],
            .like(
                ##"<mask id="a"><rect width="10" height="20" fill="white"/></mask><mask id="b" mask="url(#a)"><rect width="20" height="10" fill="white"/></mask><g mask="url(#b)">\##(square)</g>"##,
                #"<rect width="10" height="10" fill="red"/>"#)),
        SVGConstruct(
            "a transform of the whole", ["<root… transform=", "<root…;transform:"], .never,
            but: ["translate3d(0px,0px,0px)", "translate3d(0,0,0)"]),
        SVGConstruct(
            "patterns with a viewBox", ["<pattern… viewbox="],
            .like(
                ##"<pattern id="p" width="20" height="10" patternUnits="userSpaceOnUse" viewBox="0 0 10 10"><path d="M0 0H10V5H0Z" fill="red"/></pattern><rect width="20" height="20" fill="url(#p)"/>"##,
                #"<path d="M5 0H15V5H5ZM5 10H15V15H5Z" fill="red"/>"#)),
        SVGConstruct(
            "symbols that are cut (slice)", ["<symbol…slice"],
            .like(
                ##"<symbol id="s" viewBox="0 0 10 10" preserveAspectRatio="xMinYMin slice"><rect width="20" height="20" fill="red"/></symbol><use href="#s" width="10" height="5"/>"##,
                #"<rect width="10" height="5" fill="red"/>"#)),
        SVGConstruct(
            "marks placed by words (refX)",
            ["left", "center", "right"].map { " refx=\"\($0)" } + ["top", "center", "bottom"].map { " refy=\"\($0)" },
            .never),
        SVGConstruct(
            "rotate, scale and translate of CSS", [";rotate:", ";scale:", ";translate:"],
            .like(#"<rect width="10" height="20" style="translate:10px"/>"#, #"<rect x="10" width="10" height="20"/>"#)),
        SVGConstruct(
            "percentages in transform", [";transform:…%"],
            .like(
                #"<rect width="10" height="20" style="transform:translate(100%)"/>"#,
                #"<rect x="10" width="10" height="20"/>"#)),
        SVGConstruct(
            "which of two transforms counts", [" transform=\"…;transform:", " style=\"…;transform:…\" transform=\""],
            .like(
                #"<rect width="10" height="20" transform="translate(5)" style="transform:translate(10px)"/>"#,
                #"<rect x="10" width="10" height="20"/>"#)),
        SVGConstruct(
            "properties in capitals", [], .like(styled("FILL:blue"), styled("fill:blue")), count: { $0.capitals }),
        SVGConstruct(
            "turns and 3-D in transform",
            [
                "turn)", "rotatex(", "rotatey(", "rotatez(", "perspective(", "matrix3d(", "rotate3d(", "translate3d(",
                "scale3d(", ";offset-path:",
            ],
            .like(
                #"<g transform="translate(20 20)"><rect width="10" height="20" style="transform:rotate(0.5turn)"/></g>"#,
                #"<rect x="10" width="10" height="20"/>"#), but: ["0px,0px,0px)", "0,0,0)"]),
        SVGConstruct(
            "outlines of CSS (d)", [";d:path("], .like(#"<path style="d:path('M0 0H20V20H0Z');fill:red"/>"#, square)),
        SVGConstruct(
            "gradients and masks in linearRGB", declared("color-interpolation", "linearrgb"),
            .unlike(
                ##"<linearGradient id="g" color-interpolation="linearRGB"><stop/><stop offset="1" stop-color="#fff"/></linearGradient><rect width="20" height="20" fill="url(#g)"/>"##,
                ##"<linearGradient id="g"><stop/><stop offset="1" stop-color="#fff"/></linearGradient><rect width="20" height="20" fill="url(#g)"/>"##
            )),
        SVGConstruct(
            "a background of the whole",
            ["<root…;background:", "<root…;background-color:", ";svg;background:", ";svg;background-color:"], .never,
            but: ["none", "white", "#fff", "transparent"]),
        SVGConstruct("the blending mode plus-lighter", ["mix-blend-mode:plus-lighter"], .nowhere),
        SVGConstruct("what lies outside the file (url() or @import)", [], .nowhere, count: { $0.addressesOutside }),
        SVGConstruct("flowed text (flowRoot)", ["<flowroot"], .nowhere),
        SVGConstruct("mesh gradients", ["<meshgradient"], .nowhere),
        SVGConstruct("how animations go on", ["<animate", "<set ", ";animation:", ";animation-name:"], .nowhere),
        SVGConstruct(
            "places of single letters (lists of x, y, dx, dy or rotate)", [],
            .unlike(
                #"<text x="0 10" y="15" font-size="14">ii</text>"#, #"<text x="0" y="15" font-size="14">ii</text>"#),
            count: { $0.lists }),
    ]

    /// The constructs of a document, each with how often it stands there, for a sentence.
    static func all(in markup: SVGMarkup) -> [(construct: SVGConstruct, words: String)] {
        all.map { ($0, $0.number(in: markup)) }.filter { $0.1 > 0 }.map { ($0, "\($0.name) \($1)×") }
    }

    private func number(in markup: SVGMarkup) -> Int {
        guard matters(markup) else { return 0 }
        return marks.reduce(count(markup)) { sum, mark in
            exceptions.reduce(sum + markup.count(of: mark)) { $0 - markup.count(of: mark + $1) }
        }
    }

    /// Whether no browser draws it either.
    var isNowhereDrawn: Bool { if case .nowhere = probe { true } else { false } }

    // MARK: - Drawing

    private static let known = Mutex<[String: Bool]>([:])

    /// Whether librsvg here draws it. Also where nothing can be drawn: that is an error of its own.
    var isDrawn: Bool {
        if let known = Self.known.withLock({ $0[name] }) { return known }
        let isDrawn =
            switch probe {
            case .like(let one, let other): Self.areAlike(one, other) ?? true
            case .unlike(let one, let other): Self.areAlike(one, other).map { !$0 } ?? true
            case .never, .nowhere: false
            }
        Self.known.withLock { $0[name] = isDrawn }
        return isDrawn
    }

    /// Whether two contents are drawn alike but for soft edges; nil where they are not drawn.
    private static func areAlike(_ one: String, _ other: String) -> Bool? {
        let pictures = [one, other].compactMap { content -> [UInt8]? in
            let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">\#(content)</svg>"#
            return try? VectorDocument(Array(svg.utf8), name: "a probe").draw(scaledBy: 1).pixels
        }
        guard pictures.count == 2 else { return nil }
        let unlike = zip(pictures[0], pictures[1]).count { abs(Int($0) - Int($1)) > 64 }
        return unlike < 12
    }
}

extension [UInt8] {
    /// The width of the root's `viewBox`, in its units.
    fileprivate var boxWidth: Double? {
        guard let root = self[...].firstIndex(of: "<svg"), let close = self[root...].firstIndex(of: UInt8(ascii: ">")),
            let start = self[root..<close].firstIndex(of: "viewBox=").map({ $0 + "viewBox='".utf8.count })
        else { return nil }
        let numbers = self[start...].prefix { !"'\"".utf8.contains($0) }.split { " ,\t\n\r".utf8.contains($0) }
        return numbers.count == 4
            ? Double(String(decoding: numbers[2], as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil } : nil
    }
}

extension ImageFile {
    /// A sentence about what of an SVG is not drawn, what poppler said of a page when it drew it, or how many frames it has; nil
    /// where all is well, and for other formats.
    package var undrawn: String? { undrawn(isCompared: false) }

    /// The same.
    /// - Parameter isCompared: whether HTML counts also where the document has something in its place.
    package func undrawn(isCompared: Bool) -> String? {
        // Animations are compared as wholes.
        let frames = isCompared ? 1 : frameCount
        if frames > 1 { return "it is the first of \(frames) frames" }
        if format == .tiff, pageCount > 1, page == 1, !name.hasSuffix("#1") {
            return "it is the first of \(pageCount) pages; \(name.quotable)#2 is the second"
        }
        // Of pixels all is drawn, and nothing has to be looked for.
        guard isVector else { return nil }
        var bytes: [UInt8] = []
        if case .svg(let document) = header {
            // Also of a file that can be read only once.
            bytes = document.bytes
        } else if fileFormat == .svg {
            bytes = (try? contents()) ?? []
        }
        var markup = SVGMarkup(bytes)
        if case .svg(let drawing) = header, let width = bytes.boxWidth { markup.unit = Double(drawing.width) / width }
        let found = SVGConstruct.all(in: markup)
        let nowhere = found.filter { $0.construct.isNowhereDrawn }.map { $0.words }
        if case .pdf(let document, let page) = header {
            if !nowhere.isEmpty { return "a browser does not draw \(nowhere.joined(separator: ", "))" }
            guard let complaint = document.complaint else { return nil }
            let advice = complaint.contains("language pack") ? "; install the package poppler-data" : ""
            return "page \(page): \(complaint)\(advice)"
        }
        guard case .svg(let drawing) = header else { return nil }
        var constructs = found.filter { !$0.construct.isDrawn }.map { $0.words }
        // In a `switch` stands what is drawn in its place, where the HTML says what it needs.
        let hasOther = markup.count(of: "<switch") > 0 && markup.count(of: "<foreignobject… required") > 0
        if markup.htmlParts > 0, isCompared || !hasOther {
            constructs.append("texts that are HTML (foreignObject)")
        }
        if let wrong = markup.wrongValues {
            constructs.append("wrong values as browsers do (\(wrong.example.quotable)) \(wrong.count)×")
        }
        let unit = markup.unit
        if unit * markup.largestRadius > 1 { constructs.append("feMorphology of more than 10 pixels in the picture") }
        if markup.count(of: "<text") > 0, unit >= 8 {
            constructs.append("letters exactly (the viewBox has units of \(unit.rounded().jsonText) pixels)")
        }
        if constructs.isEmpty { return drawing.complaint }
        let names = constructs.joined(separator: ", ")
        let advice = constructs == nowhere ? "nor does a browser" : "a browser does: --svg-by browser"
        let others = nowhere.isEmpty || constructs == nowhere ? "" : ", but for \(nowhere.joined(separator: ", "))"
        return "librsvg does not draw \(names); \(advice)\(others)"
    }
}
