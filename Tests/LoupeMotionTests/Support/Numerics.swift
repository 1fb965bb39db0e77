/// Whether two numbers differ by no more than a tolerance.
func near(_ a: Double, _ b: Double, _ tolerance: Double = 1e-9) -> Bool {
    abs(a - b) <= tolerance
}

/// Integrates x″ = f(x, x′) by the classical fourth-order Runge–Kutta method, which is independent of the closed
/// forms.
func integrate(
    from start: (x: Double, v: Double), to time: Double, steps: Int = 20_000,
    acceleration: (_ x: Double, _ v: Double) -> Double
) -> (x: Double, v: Double) {
    var (x, v) = start
    let h = time / Double(steps)
    for _ in 0..<steps {
        let a1 = acceleration(x, v)
        let (v2, a2) = (v + h / 2 * a1, acceleration(x + h / 2 * v, v + h / 2 * a1))
        let (v3, a3) = (v + h / 2 * a2, acceleration(x + h / 2 * v2, v + h / 2 * a2))
        let (v4, a4) = (v + h * a3, acceleration(x + h * v3, v + h * a3))
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4)
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    }
    return (x, v)
}
