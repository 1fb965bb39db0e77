import LoupeBase

/// Tables as CSV (RFC 4180), with commas and line feeds.
package enum CSV {
    /// The columns of a JSON object: a member of numbers has a column each (`.x` and `.y` for two, `.x`, `.y`, `.width`
    /// and `.height` for four), a member object's members have one each, and any other array is one value, such as `touches`,
    /// the numbers of fingers.
    package static func columns(of value: JSONValue, named name: String = "") -> [(name: String, value: JSONValue)] {
        switch value {
        case .object(let object):
            return object.members.flatMap { member in
                columns(of: member.value, named: name.isEmpty ? member.key : "\(name).\(member.key)")
            }
        case .array(let elements):
            let isPlace =
                !name.hasSuffix("touches")
                && elements.allSatisfy { if case .number = $0 { true } else { false } }
            guard let names = sides(elements.count), isPlace else { return [(name, value)] }
            return zip(names, elements).map { ("\(name).\($0)", $1) }
        case .string, .number, .null, .bool: return [(name, value)]
        }
    }

    /// The names of the numbers of a point, a size or a rectangle; nil for any other array.
    static func sides(_ count: Int) -> [String]? { [2: ["x", "y"], 4: ["x", "y", "width", "height"]][count] }

    /// A line of a table. Null is an empty cell, and any array or object a cell of JSON text.
    package static func line(_ values: [JSONValue]) -> String {
        values.map { value in
            switch value {
            case .string(let text): text.csvCell
            case .null: ""
            default: value.line.csvCell
            }
        }.joined(separator: ",") + "\n"
    }
}
