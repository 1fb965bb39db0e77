// Fitted once, by Nelder and Mead's method: of all superellipses, the one whose largest distance from the smoothed corner is
// least. That corner, of radius 1 and smoothing s, is an arc in the middle and a cubic on either side that begins (1 + s) from
// the corner's point:
//
//     arc of radius 1 over 90°·(1 − s);  α = 45°·s;  c = tan(α/2)·cos α;  d = tan(α/2)·sin α
//     b = ((1 + s) − √2·sin(45°·(1 − s)) − c − d)/3
//     cubic from (1 + s, 0) along the edge: control points 2b and 3b on, its end 3b + c on and d off the edge

extension SmoothCorner {
    /// The exponent, and the extent for a radius of 1, that come nearest to a smoothed corner, for a smoothing of 0, 0.05,
    /// … 1; how far off they are, in units of the radius.
    static let table: [(exponent: Double, extent: Double)] = [
        (2.0000, 1.0000),  // off by 0.0000
        (2.0034, 1.0012),  // off by 0.0001
        (2.0126, 1.0046),  // off by 0.0003
        (2.0268, 1.0097),  // off by 0.0006
        (2.0453, 1.0164),  // off by 0.0010
        (2.0685, 1.0249),  // off by 0.0015
        (2.0983, 1.0360),  // off by 0.0021
        (2.1360, 1.0503),  // off by 0.0026
        (2.1830, 1.0685),  // off by 0.0031
        (2.2407, 1.0913),  // off by 0.0036
        (2.3113, 1.1196),  // off by 0.0040
        (2.3969, 1.1544),  // off by 0.0042
        (2.5005, 1.1969),  // off by 0.0044
        (2.6259, 1.2489),  // off by 0.0045
        (2.7782, 1.3125),  // off by 0.0043
        (2.9640, 1.3907),  // off by 0.0041
        (3.1930, 1.4875),  // off by 0.0037
        (3.4790, 1.6089),  // off by 0.0032
        (3.8428, 1.7637),  // off by 0.0025
        (4.3172, 1.9662),  // off by 0.0018
        (4.9575, 2.2398),  // off by 0.0009
    ]
}
