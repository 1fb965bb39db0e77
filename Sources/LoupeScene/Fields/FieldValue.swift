import LoupeBase

/// The kind of value that a key may have, for the schema and for the command's flags.
package indirect enum FieldKind: Sendable {
    /// A number from `low` on, to `high` where that does not depend on other values; in canvas pixels where it is a length.
    case number(low: Double, high: Double?, isLength: Bool)
    case integer(low: Int, high: Int?)
    case flag
    case text
    /// One of these names.
    case choice([String])
    /// A value that has a name in the schema, such as `color`.
    case named(String)
    /// Numbers with names in one range.
    case numbers([String], ClosedRange<Double>)
    case object(@Sendable () -> FieldsDescription)
    case array(of: FieldKind, isEmptyAllowed: Bool)
    case either(FieldKind, FieldKind)
}

/// A kind of value: how documents write it, and how it is scaled.
struct FieldValue<Value>: Sendable {
    let kind: FieldKind
    let read: @Sendable (JSONReader, FieldContext) throws(SceneDecodingError) -> Value
    let write: @Sendable (Value) -> JSONValue?
    /// Multiplies lengths by a factor; nil where there are none.
    var scale: (@Sendable (inout Value, Double) -> Void)?
    /// What keyframes can move.
    var movable: @Sendable () -> [MovableField<Value>] = { [] }

    init(
        _ kind: FieldKind,
        reading read: @escaping @Sendable (JSONReader, FieldContext) throws(SceneDecodingError) -> Value,
        write: @escaping @Sendable (Value) -> JSONValue?, scale: (@Sendable (inout Value, Double) -> Void)? = nil
    ) {
        (self.kind, self.read, self.write, self.scale) = (kind, read, write, scale)
    }

    /// A value that is read without looking at others.
    init(
        _ kind: FieldKind, _ read: @escaping @Sendable (JSONReader) throws(DocumentError) -> Value,
        _ write: @escaping @Sendable (Value) -> JSONValue?, scale: (@Sendable (inout Value, Double) -> Void)? = nil
    ) {
        self.init(
            kind, reading: { (value, _) throws(SceneDecodingError) in try read(value) }, write: write, scale: scale)
    }
}

extension FieldValue {
    /// The same, which keyframes can move.
    fileprivate func moving(
        _ numbers: [(name: String, range: ClosedRange<Double>)], isLength: Bool = true,
        _ get: @escaping @Sendable (Value) -> [Double], _ set: @escaping @Sendable (inout Value, [Double]) -> Void
    ) -> FieldValue {
        var value = self
        value.movable = { [MovableField("", numbers, isLength: isLength, get: get, set: set)] }
        return value
    }
}

extension FieldValue<Double> {
    /// A number that is no length.
    static func number(_ range: ClosedRange<Double>) -> FieldValue {
        FieldValue(
            .number(low: range.lowerBound, high: range.upperBound, isLength: false),
            { value throws(DocumentError) in try value.number(in: range) }, { .number($0) }
        ).moving(in: range, isLength: false)
    }

    /// A length in canvas pixels.
    static func length(_ range: ClosedRange<Double>) -> FieldValue {
        FieldValue(
            .number(low: range.lowerBound, high: range.upperBound, isLength: true),
            { value throws(DocumentError) in try value.number(in: range) }, { .number($0) }, scale: { $0 *= $1 }
        ).moving(in: range, isLength: true)
    }

    func moving(in range: ClosedRange<Double>, isLength: Bool) -> FieldValue {
        moving([("", range)], isLength: isLength, { [$0] }, { $0 = $1[0] })
    }
}

extension FieldValue<Int> {
    static func integer(_ range: ClosedRange<Int>) -> FieldValue {
        FieldValue(
            .integer(low: range.lowerBound, high: range.upperBound),
            { value throws(DocumentError) in try value.integer(in: range) }, { .number(Double($0)) })
    }

    /// The index of one of the things of a scene.
    static func index(of what: String, count: @escaping @Sendable (Scene) -> Int) -> FieldValue {
        FieldValue(
            .integer(low: 0, high: nil),
            reading: { (value, context) throws(SceneDecodingError) in
                let count = context.scene.map(count) ?? 0
                guard count > 0 else { throw value.error("there is no \(what)") }
                return try value.integer(in: 0...count - 1)
            }, write: { .number(Double($0)) })
    }
}

extension FieldValue<Bool> {
    static var flag: FieldValue {
        FieldValue(.flag, { value throws(DocumentError) in try value.bool() }, { .bool($0) })
    }
}

extension FieldValue where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the names of an enumeration.
    static var choice: FieldValue {
        FieldValue(
            .choice(Value.allCases.map { $0.rawValue }),
            { value throws(DocumentError) in try value.choice(of: Value.self) }, { .string($0.rawValue) })
    }
}

extension FieldValue<Color> {
    static var color: FieldValue {
        FieldValue(.named("color"), { value throws(DocumentError) in try value.color() }, { .string($0.hex) })
    }
}

extension FieldValue<Point> {
    static var point: FieldValue {
        FieldValue(
            .named("point"), { value throws(DocumentError) in try value.point() }, { .numbers($0.x, $0.y) },
            scale: { $0 = Point(x: $0.x * $1, y: $0.y * $1) }
        ).moving(
            ["x", "y"].map { ($0, JSONReader.coordinateRange) }, { [$0.x, $0.y] }, { $0 = Point(x: $1[0], y: $1[1]) })
    }
}

extension FieldValue<Vector> {
    static var vector: FieldValue {
        FieldValue(
            .named("vector"), { value throws(DocumentError) in try value.vector() }, { .numbers($0.dx, $0.dy) },
            scale: { $0 = $1 * $0 }
        ).moving(
            ["dx", "dy"].map { ($0, JSONReader.coordinateRange) }, { [$0.dx, $0.dy] },
            { $0 = Vector(dx: $1[0], dy: $1[1]) })
    }

    /// Two numbers that have names.
    static func pair(_ x: String, _ y: String, _ range: ClosedRange<Double>, areLengths: Bool) -> FieldValue {
        FieldValue(
            .numbers([x, y], range),
            { value throws(DocumentError) in
                let axes = try value.tuple(x, y)
                return Vector(dx: try axes[0].number(in: range), dy: try axes[1].number(in: range))
            }, { .numbers($0.dx, $0.dy) }, scale: { if areLengths { $0 = $1 * $0 } })
    }
}

extension FieldValue<Rect> {
    static var rect: FieldValue {
        FieldValue(
            .named("rect"), { value throws(DocumentError) in try value.rect() },
            { .numbers($0.x, $0.y, $0.width, $0.height) },
            scale: { $0 = Rect(x: $0.x * $1, y: $0.y * $1, width: $0.width * $1, height: $0.height * $1) }
        ).moving(
            [
                ("x", JSONReader.coordinateRange), ("y", JSONReader.coordinateRange), ("width", JSONReader.sideRange),
                ("height", JSONReader.sideRange),
            ], { [$0.x, $0.y, $0.width, $0.height] },
            { $0 = Rect(x: $1[0], y: $1[1], width: $1[2], height: $1[3]) })
    }
}

extension FieldValue<ImagePath> {
    static var path: FieldValue {
        FieldValue(
            .named("path"),
            reading: { (value, context) throws(SceneDecodingError) in try context.decoder.path(value) },
            write: { .string($0.description) })
    }
}

extension FieldValue<PhysicalLength> {
    /// A length of the world.
    static var worldLength: FieldValue {
        FieldValue(
            .text,
            { value throws(DocumentError) in
                let needed = "a length as \(PhysicalLength.forms)"
                let length = PhysicalLength(text: try value.string(needed: needed))
                if let length { return length }
                throw value.error("\(value.value.excerpt) is not a length; \(needed), is needed")
            }, { .string($0.text) })
    }
}

extension FieldValue<String> {
    /// The text of a label.
    static var text: FieldValue {
        FieldValue(
            .text,
            { value throws(DocumentError) in
                let text = try value.string(needed: "a text")
                if let problem = Label.problem(with: text) { throw value.error(problem) }
                return text
            }, { .string($0) })
    }

    /// The family of a font.
    static var family: FieldValue {
        FieldValue(
            .text,
            { value throws(DocumentError) in
                let needed = "the name of a font's family"
                let family = try value.string(needed: needed)
                if TextStyle.isFamily(family) { return family }
                throw value.error(
                    "\(value.value.excerpt) is not allowed; \(needed), of at most 100 letters and without commas, is needed"
                )
            }, { .string($0) })
    }
}

extension FieldValue {
    /// An object that has a table of its own.
    static func object(_ fields: Fields<Value>) -> FieldValue where Value: Sendable {
        var value = FieldValue(
            .object { fields.description },
            reading: { (value, context) throws(SceneDecodingError) in try fields.read(value, context) },
            write: { fields.write($0) }, scale: { fields.scale(&$0, by: $1) })
        value.movable = { fields.movable }
        return value
    }

    /// An array of values.
    /// - Parameter needed: what an empty one lacks; nil where it may be empty.
    static func list<Element: Sendable>(_ element: FieldValue<Element>, needing needed: String? = nil) -> FieldValue
    where Value == [Element] {
        FieldValue(
            .array(of: element.kind, isEmptyAllowed: needed == nil),
            reading: { (value, context) throws(SceneDecodingError) in
                let values = try value.array().map { one throws(SceneDecodingError) in try element.read(one, context) }
                if let needed, values.isEmpty { throw value.error("it is empty; \(needed)") }
                return values
            }, write: { .array($0.compactMap(element.write)) },
            scale: { values, factor in
                guard let scale = element.scale else { return }
                for index in values.indices { scale(&values[index], factor) }
            })
    }
}

extension JSONValue {
    static func numbers(_ numbers: Double...) -> JSONValue { .array(numbers.map(JSONValue.number)) }
}
