import LoupeBase

/// The content of the table of an object's properties, without the object's type.
package struct FieldsDescription: Sendable {
    package struct Row: Sendable {
        package let key: String
        package let meaning: String
        package let kind: FieldKind
        package let need: FieldNeed
        /// Its default as a document writes it; nil where it has none, or where that depends on other values.
        package let standard: JSONValue?
    }

    package let name: String
    package let meaning: String
    package let rows: [Row]
    package let rules: [FieldRule]

    fileprivate func row(at path: Substring) -> Row? {
        let key = path.prefix { $0 != "." }
        guard let row = rows.first(where: { $0.key == key }), key.endIndex < path.endIndex else {
            return rows.first { $0.key == key }
        }
        let rest = path[path.index(after: key.endIndex)...]
        switch row.kind {
        case .object(let inner), .either(_, .object(let inner)): return inner().row(at: rest)
        default: return nil
        }
    }
}

extension Fields {
    package var description: FieldsDescription {
        let rows = rows.map { row in
            let hasStandard = if case .standard = row.need { true } else { false }
            return FieldsDescription.Row(
                key: row.key, meaning: row.meaning, kind: row.kind, need: row.need,
                standard: hasStandard ? row.write(standard) : nil)
        }
        return FieldsDescription(name: name, meaning: meaning, rows: rows, rules: rules)
    }

    /// What the table says of a key, or of keys with dots between them.
    package func row(at path: String) -> FieldsDescription.Row? { description.row(at: path[...]) }
}
