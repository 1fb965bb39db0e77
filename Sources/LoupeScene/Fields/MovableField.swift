import LoupeBase

/// One or several numbers of an object of a scene that keyframes can move.
package struct MovableField<Object>: Sendable {
    /// The keys that lead to it, from the object's own: `shadow.offset`.
    package let path: String
    /// The numbers by their names, with their ranges. A single one has no name.
    package let numbers: [(name: String, range: ClosedRange<Double>)]
    package let isLength: Bool
    /// Whether an object within the object has to have it.
    private(set) package var isRequired = false
    /// Nil where an object does not have it.
    package let get: @Sendable (Object) -> [Double]?
    /// Sets the numbers, as many as `get` returns. They have to be in their ranges.
    package let set: @Sendable (inout Object, [Double]) -> Void

    init(
        _ path: String, _ numbers: [(name: String, range: ClosedRange<Double>)], isLength: Bool = true,
        get: @escaping @Sendable (Object) -> [Double]?, set: @escaping @Sendable (inout Object, [Double]) -> Void
    ) {
        (self.path, self.numbers, self.isLength, self.get, self.set) = (path, numbers, isLength, get, set)
    }

    /// The same as a part of a larger object.
    func below<Outer>(
        _ key: String, isRequired: Bool, get: @escaping @Sendable (Outer) -> Object?,
        set: @escaping @Sendable (inout Outer, Object) -> Void
    ) -> MovableField<Outer> {
        var field = MovableField<Outer>(path.isEmpty ? key : "\(key).\(path)", numbers, isLength: isLength) { outer in
            get(outer).flatMap(self.get)
        } set: { outer, numbers in
            guard var value = get(outer) else { return }
            self.set(&value, numbers)
            set(&outer, value)
        }
        field.isRequired = path.isEmpty ? isRequired : self.isRequired
        return field
    }

    /// Reads the numbers.
    /// - Parameter asVelocity: Whether they say how fast the property changes, and may be any.
    package func read(_ value: JSONReader, asVelocity: Bool = false) throws(DocumentError) -> [Double] {
        let any = JSONReader.coordinateRange
        if numbers.count == 1 { return [try value.number(in: asVelocity ? any : numbers[0].range)] }
        var read: [Double] = []
        for (axis, number) in zip(try value.tuple(numbers.map { $0.name }), numbers) {
            read.append(try axis.number(in: asVelocity ? any : number.range))
        }
        return read
    }
}
