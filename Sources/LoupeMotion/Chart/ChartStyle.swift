/// Colours that stay apart for colour-blind readers (Okabe and Ito's), lighter on dark paper.
enum ChartStyle {
    static let css = """
        svg { --paper: #fff; --ink: #222; --faint: #ccc; --none: #ccc; --pinch: #0072b2; --pan: #d55e00; --rewind: #009e73;
          --holding: #cc79a7; --drawing: #e69f00; --resizing: #56b4e9; }
        @media (prefers-color-scheme: dark) { svg { --paper: #16181c; --ink: #ddd; --faint: #444; --none: #8a8f98;
          --pinch: #56b4e9; --pan: #f0a35e; --rewind: #35c79b; --holding: #e3a5c7; --drawing: #f0c04a;
          --resizing: #8fd0f5; } }
        .paper { fill: var(--paper); } text { fill: var(--ink); font: 12px system-ui, sans-serif; }
        .title { font-size: 15px; font-weight: 600; } .head, .number { font-weight: 600; } .detail { opacity: .8; }
        .axis { stroke: var(--faint); stroke-width: 1; } .threshold { stroke: var(--ink); stroke-dasharray: 4 4; }
        .decision { stroke: var(--ink); stroke-width: 1; opacity: .7; }
        .waiting, .idle { fill: var(--none); } .idle { opacity: .5; } .role { fill: #111; } .holding { fill: var(--holding); }
        .drawing { fill: var(--drawing); } .resizing { fill: var(--resizing); } .rewinding { fill: var(--rewind); }
        .ghost { fill: none; stroke: var(--holding); stroke-width: 1.5; stroke-dasharray: 3 3; }
        .curve { fill: none; stroke-width: 2; } .curve.pinch { stroke: var(--pinch); }
        .curve.pan { stroke: var(--pan); } .curve.rewind { stroke: var(--rewind); }
        .bar.pinch { fill: var(--pinch); } .bar.pan { fill: var(--pan); } .bar.rewind { fill: var(--rewind); }
        .bar.possible { opacity: .25; }
        text.pinch { fill: var(--pinch); } text.pan { fill: var(--pan); } text.rewind { fill: var(--rewind); }
        text.pinch, text.pan, text.rewind { font-weight: 600; }
        """
}
