import LoupeBase

/// Tables as CSV (RFC 4180), with commas and line feeds.
package enum CSV {
    /// The columns of a JSON object: a member of numbers has a column each (`.x` and `.y` for two, `.x`, `.y`, `.width`
    /// and `.height` for four), a member object's members have one each, and any other array is a cell of JSON text.
    package static func columns(of value: JSONValue, named name: String = "") -> [(name: String, cell: String)] {
        switch value {
        case .object(let object):
            return object.members.flatMap { member in
                columns(of: member.value, named: name.isEmpty ? member.key : "\(name).\(member.key)")
            }
        case .array(let elements):
            let numbers = elements.compactMap { if case .number(let number) = $0 { number } else { nil } }
            guard let names = sides(elements.count), numbers.count == elements.count else {
                return [(name, value.line)]
            }
            return zip(names, numbers).map { ("\(name).\($0)", $1.plain) }
        case .string(let text): return [(name, text)]
        case .number(let number): return [(name, number.plain)]
        case .null: return [(name, "")]
        case .bool(let bool): return [(name, bool ? "true" : "false")]
        }
    }

    /// The names of the numbers of a point, a size or a rectangle; nil for any other array.
    static func sides(_ count: Int) -> [String]? { [2: ["x", "y"], 4: ["x", "y", "width", "height"]][count] }

    /// A line of a table.
    package static func line(_ cells: [String]) -> String { cells.map { $0.csvCell }.joined(separator: ",") + "\n" }
}

extension Double {
    /// The number with -0 as 0.
    fileprivate var plain: String { self == 0 ? "0" : jsonText }
}

extension String {
    /// The cell in quotes where that is needed.
    fileprivate var csvCell: String {
        guard contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return self }
        var text = "\""
        for character in self { text += character == "\"" ? "\"\"" : String(character) }
        return text + "\""
    }
}
