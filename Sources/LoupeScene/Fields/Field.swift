import LoupeBase

/// One property of an object of a scene, described once for all that read it: the decoder, the encoder, scaling, the
/// schema and its page, keyframes and the editor.
package struct Field<Object>: Sendable {
    /// Reads the value of a key into an object.
    typealias Reading = @Sendable (inout Object, JSONReader, FieldContext) throws(SceneDecodingError) -> Void

    package let key: String
    /// What it is, in sentences.
    package let meaning: String
    /// What its value may be.
    package let kind: FieldKind
    package let need: FieldNeed
    /// Keys of which one has to be there, or else this one is unknown; empty for none.
    let others: [String]
    /// Whether it is left out of documents where it has its standard value.
    let isBrief: Bool
    let read: Reading
    /// What an object gets where the key is missing; nil where that is what the standard object has.
    private(set) var absent: Reading?
    package let write: @Sendable (Object) -> JSONValue?
    /// What keyframes can move of it.
    let movable: [MovableField<Object>]
    /// Multiplies lengths by a factor; nil where there are none.
    package let scale: (@Sendable (inout Object, Double) -> Void)?

    /// - Parameters:
    ///   - value: its kind of value.
    ///   - get: nil where an object does not have it.
    ///   - prepare: checks whether the object may have it, and says in the context what its value depends on.
    init<Value>(
        _ key: String, _ value: FieldValue<Value>, _ meaning: String, _ need: FieldNeed = .standard,
        with others: [String] = [], isBrief: Bool = false, moves: Bool = false,
        get: @escaping @Sendable (Object) -> Value?,
        set: @escaping @Sendable (inout Object, Value) -> Void,
        absent: Reading? = nil,
        prepare: (@Sendable (Object, JSONReader, FieldContext) throws(DocumentError) -> Void)? = nil
    ) {
        (self.key, self.meaning, kind) = (key, meaning, value.kind)
        (self.need, self.others, self.isBrief, self.absent) = (need, others, isBrief, absent)
        read = { (object: inout Object, reader: JSONReader, context: FieldContext) throws(SceneDecodingError) in
            try prepare?(object, reader, context)
            set(&object, try value.read(reader, context))
        }
        write = { object in get(object).flatMap(value.write) }
        let isRequired = if case .required = need { true } else { false }
        movable =
            moves ? value.movable().map { $0.below(key, isRequired: isRequired, get: get, set: set) } : []
        guard let scaleValue = value.scale else {
            scale = nil
            return
        }
        scale = { object, factor in
            guard var value = get(object) else { return }
            scaleValue(&value, factor)
            set(&object, value)
        }
    }

    private init<Inner>(
        _ inner: Field<Inner>, get: @escaping @Sendable (Object) -> Inner,
        set: @escaping @Sendable (inout Object, Inner) -> Void,
        prepare: (@Sendable (Object, FieldContext) -> Void)?
    ) {
        (key, meaning, kind, need) = (inner.key, inner.meaning, inner.kind, inner.need)
        (others, isBrief) = (inner.others, inner.isBrief)
        func reading(_ read: @escaping Field<Inner>.Reading) -> Reading {
            { (object: inout Object, reader: JSONReader, context: FieldContext) throws(SceneDecodingError) in
                var part = get(object)
                prepare?(object, context)
                try read(&part, reader, context)
                set(&object, part)
            }
        }
        (read, absent) = (reading(inner.read), inner.absent.map(reading))
        write = { inner.write(get($0)) }
        movable = []
        guard let scalePart = inner.scale else {
            scale = nil
            return
        }
        scale = { object, factor in
            var part = get(object)
            scalePart(&part, factor)
            set(&object, part)
        }
    }

    /// Whether an object may have the key.
    func isKnown(in reader: JSONReader) -> Bool { others.isEmpty || others.contains(where: reader.has) }

    /// The fields of a part of an object, whose keys stand among the object's own.
    static func part<Inner>(
        _ inner: [Field<Inner>], get: @escaping @Sendable (Object) -> Inner,
        set: @escaping @Sendable (inout Object, Inner) -> Void,
        prepare: (@Sendable (Object, FieldContext) -> Void)? = nil
    ) -> [Field] {
        inner.map { Field($0, get: get, set: set, prepare: prepare) }
    }
}

/// The rule for a missing key.
package enum FieldNeed: Sendable {
    /// The value in the table's standard object.
    case standard
    /// Something that depends on other values, as the meaning says.
    case open
    /// It is an error.
    case required
    /// It is an error, unless this other key is there.
    case requiredWithout(String)
}

/// The data that the value of a key may depend on, beside the object that has the key. Rows set it before they read
/// what depends on it.
final class FieldContext {
    let decoder: SceneDecoder
    /// What is decoded of the scene so far; nil for a loupe by itself.
    var scene: Scene?
    /// The rect whose corners are rounded, and its name in messages.
    var bounds = (rect: Rect(x: 0, y: 0, width: 0, height: 0), name: "rect")
    /// The largest width of a rim, in canvas pixels, and what it is in words.
    var rim = (limit: 0.0, words: "")

    init(_ decoder: SceneDecoder) { self.decoder = decoder }
}

/// A rule about which keys of an object may stand together.
package enum FieldRule: Sendable {
    case atMostOne([String])
    case atLeastOne([String])
    /// With what the one of them says, as a clause.
    case exactlyOne([String], String)

    func check(_ reader: JSONReader) throws(DocumentError) {
        switch self {
        case .atMostOne(let keys):
            let given = keys.filter(reader.has)
            guard given.count > 1 else { return }
            throw reader.error(
                keys.count == 2
                    ? "it has both \(keys[0]) and \(keys[1]); only one of them is allowed"
                    : "it has \(given.joined(separator: " and ")); only one of \(Self.list(keys)) is allowed")
        case .atLeastOne(let keys):
            guard !keys.contains(where: reader.has) else { return }
            throw reader.error("it has none of \(Self.list(keys)); one of them is needed")
        case .exactlyOne(let keys, let clause):
            guard keys.filter(reader.has).count != 1 else { return }
            throw reader.error("it needs one of \(Self.list(keys)), which \(clause)")
        }
    }

    private static func list(_ keys: [String]) -> String {
        "\(keys.dropLast().joined(separator: ", ")) and \(keys[keys.count - 1])"
    }
}

/// The table of an object's properties, in the order in which documents have them.
package struct Fields<Object: Sendable>: Sendable {
    /// Of the object in the schema.
    package let name: String
    /// What the object is.
    package let meaning: String
    /// The object that has every default.
    package let standard: Object
    package let rules: [FieldRule]
    /// Whether unknown keys are reported before wrong values: a missing key is often a misspelt one.
    private let checksKeysFirst: Bool
    package let rows: [Field<Object>]
    /// The indices of the rows in the order in which they are read.
    private let order: [Int]
    /// What keyframes can move.
    package let movable: [MovableField<Object>]
    /// Completes and checks an object once all of its keys are read.
    private let settle: (@Sendable (inout Object, JSONReader, FieldContext) throws(SceneDecodingError) -> Void)?

    init(
        _ name: String, _ meaning: String, standard: Object, rules: [FieldRule] = [], checksKeysFirst: Bool = false,
        _ rows: [Field<Object>], readingFirst first: [String] = [], moving moved: [MovableField<Object>] = [],
        settle: (@Sendable (inout Object, JSONReader, FieldContext) throws(SceneDecodingError) -> Void)? = nil
    ) {
        (self.name, self.meaning, self.standard, self.rules) = (name, meaning, standard, rules)
        (self.checksKeysFirst, self.rows, self.settle) = (checksKeysFirst, rows, settle)
        movable = moved + rows.flatMap { $0.movable }
        order =
            rows.indices.filter { first.contains(rows[$0].key) } + rows.indices.filter { !first.contains(rows[$0].key) }
    }

    /// The object of a document. Keys that were asked for before may be beside its own.
    func read(_ value: JSONReader, _ context: FieldContext) throws(SceneDecodingError) -> Object {
        var object = standard
        if checksKeysFirst { try check(value) }
        for index in order { try read(rows[index], of: &object, from: value, context) }
        if !checksKeysFirst { try check(value) }
        try settle?(&object, value, context)
        return object
    }

    private func read(
        _ row: Field<Object>, of object: inout Object, from reader: JSONReader, _ context: FieldContext
    ) throws(SceneDecodingError) {
        guard row.isKnown(in: reader) else { return }
        if let value = try reader.member(row.key) { return try row.read(&object, value, context) }
        switch row.need {
        case .required: throw reader.error(missing: row.key)
        case .requiredWithout(let other) where !reader.has(other): throw reader.error(missing: row.key)
        case .standard, .open, .requiredWithout: try row.absent?(&object, reader, context)
        }
    }

    private func check(_ reader: JSONReader) throws(DocumentError) {
        let given = rows.count { $0.isKnown(in: reader) && reader.has($0.key) }
        if try given < reader.count {
            var reader = reader
            for row in rows where row.isKnown(in: reader) { _ = try reader.optional(row.key) }
            try reader.finish()
        }
        for rule in rules { try rule.check(reader) }
    }

    /// The object as a document has it, with every key that has a value.
    package func write(_ object: Object) -> JSONValue {
        var members = JSONObject()
        for row in rows where row.others.isEmpty || row.others.contains(where: { members[$0] != nil }) {
            guard let value = row.write(object), !(row.isBrief && value == row.write(standard)) else { continue }
            _ = members.append(value, forKey: row.key)
        }
        return .object(members)
    }

    /// The object with other values at keys with dots between them, such as `shadow.blur`. An object on the way that is
    /// missing has its defaults.
    package func setting(
        _ values: [(path: String, value: JSONValue)], of object: Object
    ) throws(DocumentError) -> Object {
        guard !values.isEmpty else { return object }
        let decoder = SceneDecoder { _ in ImageSize(width: 1, height: 1) }
        let document = values.reduce(write(object)) { $0.setting($1.path, to: $1.value) }
        do {
            return try read(JSONReader(document), FieldContext(decoder))
        } catch let error as DocumentError {
            throw error
        } catch {
            preconditionFailure("the sizes above can be read")
        }
    }

    /// Multiplies every length of an object by a factor.
    package func scale(_ object: inout Object, by factor: Double) {
        for row in rows { row.scale?(&object, factor) }
    }
}
