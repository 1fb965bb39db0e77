/// The frame of the report: everything that does not depend on the numbers.
enum ReportPage {
    static func html(title: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title.escaped)</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        <h1>\(title.escaped)</h1>
        \(body)</body>
        </html>

        """
    }

    /// Colours that stay apart for colour-blind readers (Okabe and Ito's), lighter on dark paper.
    private static let style = """
        :root { color-scheme: light dark; --paper: #fff; --ink: #222; --faint: #ccc; --zone: #f2f2f2;
          --pieces: #0072b2; --whole-disc: #d55e00; --general: #009e73; --own: #cc79a7; }
        @media (prefers-color-scheme: dark) { :root { --paper: #16181c; --ink: #ddd; --faint: #444; --zone: #20242b;
          --pieces: #56b4e9; --whole-disc: #f0a35e; --general: #35c79b; --own: #e3a5c7; } }
        body { background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif;
          max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
        h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
        svg { width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
        .axis { stroke: var(--faint); stroke-width: 1; } .zone-even { fill: var(--zone); } .zone-odd { fill: none; }
        .base { stroke: var(--ink); stroke-dasharray: 4 4; opacity: .6; }
        .curve { fill: none; stroke-width: 2; } .spread { stroke-width: 1; opacity: .5; }
        .pieces { stroke: var(--pieces); fill: var(--pieces); }
        .whole-disc { stroke: var(--whole-disc); fill: var(--whole-disc); }
        .general { stroke: var(--general); fill: var(--general); }
        .own-pieces, .own-whole-disc, .own-general { stroke: var(--own); fill: var(--own); }
        .curve.pieces, .curve.whole-disc, .curve.general { fill: none; }
        .key { stroke: none; font-weight: 600; } text.key.pieces { fill: var(--pieces); }
        text.key.whole-disc { fill: var(--whole-disc); } text.key.general { fill: var(--general); }
        text.key.own-pieces, text.key.own-whole-disc, text.key.own-general { fill: var(--own); }
        pre { overflow-x: auto; font-size: 12px; }
        """
}
