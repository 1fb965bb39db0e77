import LoupeScene

@testable import LoupeBase
@testable import LoupeMotion

/// Access to a model's states.
extension MotionFrame {
    subscript(key: String) -> JSONValue? { states[key] }

    /// A number; NaN, which equals nothing, if there is none.
    func number(_ key: String) -> Double { self[key]?.number ?? .nan }
    func numbers(_ key: String) -> [Double] { self[key]?.numbers ?? [] }

    func string(_ key: String) -> String {
        guard case .string(let string)? = self[key] else { return "" }
        return string
    }
}

extension JSONValue {
    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var numbers: [Double]? {
        guard case .array(let elements) = self else { return nil }
        return elements.compactMap(\.number)
    }
}
