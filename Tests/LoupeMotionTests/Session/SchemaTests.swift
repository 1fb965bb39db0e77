import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// A step into a document.
private enum Step: Equatable {
    case key(String)
    case index(Int)
}

/// The JSON Schemas in docs/schemas say what the decoders do: which keys there are, which are needed, their ranges, names
/// and defaults. Each schema's examples reach all of it; every part of them is changed, and the decoder has to agree.
@Suite struct SchemaTests {
    struct Document: Sendable, CustomTestStringConvertible {
        let name: String
        var testDescription: String { name }

        /// The scenes that a document draws; throws what the decoder throws.
        func scenes(_ value: JSONValue) throws -> [Scene] {
            let bytes = Array(value.text().utf8)
            let size = ImageSize(width: 600, height: 500)
            switch name {
            case "scene": return [try SceneDecoder { _ in size }.decode(bytes)]
            case "trace":
                _ = try TraceDecoder.decode(bytes)
                return []
            default:
                let session = try SessionDecoder { _ in
                    size
                } file: { _ in
                    Array("[]".utf8)
                }.decode(bytes)
                return [0, 0.3, 0.45, 1.2].map { session.model.frame(at: $0).scene }
            }
        }
    }

    private static let documents = ["scene", "session", "trace"].map(Document.init)

    /// A place in a document, and the part of the schema that describes it.
    private struct Place {
        let path: [Step]
        let schema: JSONValue
        /// Whether it is all that is said of the value, and not only the description of a property.
        var isWhole = true
    }

    @Test(arguments: documents) func decoderAgreesWithItsSchema(_ document: Document) throws {
        let root = try schema(document.name)
        guard case .array(let examples) = root[at: "examples"] else {
            Issue.record("no examples")
            return
        }
        let known = keys(in: root)
        var seen: Set<String> = []
        var allowed: [String: Set<String>] = [:]
        for example in examples {
            _ = try document.scenes(example)
            for place in places(in: example, root, root: root) {
                seen.insert(place.schema[at: "description"].text())
                guard place.isWhole else { continue }
                try check(place, of: example, by: document, &allowed)
            }
        }
        for (description, keys) in allowed.sorted(by: { $0.key < $1.key }) {
            let own = known[description] ?? []
            // What distinguishes a touch from a sample of the rotation rate is the lack of the key "rotation".
            let others = document.name == "trace" ? known.values.reduce(into: []) { $0.formUnion($1) } : own
            #expect(
                keys.isSuperset(of: own) && keys.isSubset(of: others), "\(document.name): the keys of \(description)")
        }
        for description in descriptions(in: root) {
            #expect(seen.contains(description), "no example of \(document.name) has: \(description)")
        }
    }

    @Test("A schema has the names of all colours", arguments: ["scene", "session"])
    func colorNames(_ name: String) throws {
        guard case .array(let forms) = try schema(name)[at: "$defs"][at: "color"][at: "anyOf"] else {
            Issue.record("the forms of a colour are missing")
            return
        }
        let names = forms.flatMap { strings($0[at: "enum"]) }
        #expect(Set(names).count == 149 && names.allSatisfy { Color(text: $0) != nil })
    }

    private func check(
        _ place: Place, of example: JSONValue, by document: Document, _ allowed: inout [String: Set<String>]
    ) throws {
        let what = "\(place.path)"
        /// What the decoder says of the document with another value here; nil where it accepts it.
        func complaint(_ value: JSONValue) -> String? {
            do {
                _ = try document.scenes(example.replacing(place.path[...], by: value))
                return nil
            } catch {
                return "\(error)"
            }
        }
        let value = example.value(at: place.path[...])
        if case .object(let properties) = place.schema[at: "properties"], case .object(let members) = value {
            // Which keys are allowed may depend on the others: together, the examples show all.
            let said = complaint(.object(members.setting("§", to: .bool(true)))) ?? ""
            let description = place.schema[at: "description"].text()
            allowed[description, default: []].formUnion(said.components(after: "allowed are "))
            for key in strings(place.schema[at: "required"]) {
                #expect(complaint(.object(members.setting(key, to: nil))) != nil, "\(what): \(key) is not needed")
            }
            for (key, property) in properties.members.map({ ($0.key, $0.value) }) {
                guard property[at: "default"] != .null, members[key] != nil,
                    complaint(.object(members.setting(key, to: nil))) == nil,
                    complaint(.object(members.setting(key, to: property[at: "default"]))) == nil
                else { continue }
                let without = example.replacing(place.path[...], by: .object(members.setting(key, to: nil)))
                let with = example.replacing(
                    place.path[...], by: .object(members.setting(key, to: property[at: "default"])))
                #expect(try document.scenes(without) == document.scenes(with), "\(what): the default of \(key)")
            }
        }
        if case .number(let least) = place.schema[at: "minimum"] {
            #expect(complaint(.number(least - 0.5)) != nil, "\(what): below \(least)")
        }
        if case .number(let most) = place.schema[at: "maximum"] {
            #expect(complaint(.number(most + 0.5)) != nil, "\(what): over \(most)")
        }
        let names = strings(place.schema[at: "enum"])
        if !names.isEmpty {
            let said = complaint(.string("§")) ?? ""
            let allowed = said.components(after: "allowed are ")
            if place.path.last == .key("model") {
                #expect(allowed.contains(names[0]))
            } else {
                #expect(Set(allowed) == Set(names), "\(what): \(said)")
            }
        }
    }

    // MARK: - Schemas

    /// The keys of each object, by its description.
    private func keys(in schema: JSONValue) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        func visit(_ value: JSONValue) {
            switch value {
            case .object(let object):
                if case .object(let properties) = value[at: "properties"] {
                    found[value[at: "description"].text(), default: []]
                        .formUnion(Set(properties.members.map(\.key)).subtracting(["$schema"]))
                }
                for member in object.members where !["default", "examples"].contains(member.key) { visit(member.value) }
            case .array(let elements): for element in elements { visit(element) }
            default: break
            }
        }
        visit(schema)
        return found
    }

    private func schema(_ name: String) throws -> JSONValue {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try #require(TemporaryFolder.bytes(at: "/\(folder)/docs/schemas/\(name).schema.json"))
        return try JSONValue(parsing: bytes)
    }

    private func strings(_ value: JSONValue) -> [String] {
        guard case .array(let values) = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The schema that a reference in it names, or itself. Other files' schemas are left to their own tests.
    private func resolved(_ schema: JSONValue, root: JSONValue) -> JSONValue {
        guard case .string(let name) = schema[at: "$ref"], name.hasPrefix("#/$defs/") else { return schema }
        return root[at: "$defs"][at: String(name.dropFirst("#/$defs/".count))]
    }

    /// Every place in a value that the schema describes.
    private func places(in value: JSONValue, _ schema: JSONValue, root: JSONValue, at path: [Step] = []) -> [Place] {
        let schema = resolved(schema, root: root)
        var places = [Place(path: path, schema: schema)]
        if case .array(let alternatives) = schema[at: "oneOf"] {
            let fitting = alternatives.map { resolved($0, root: root) }.first { fits(value, $0) }
            if let fitting { places += self.places(in: value, fitting, root: root, at: path) }
        }
        switch value {
        case .object(let object):
            for member in object.members where schema[at: "properties"][at: member.key] != .null {
                let property = schema[at: "properties"][at: member.key]
                if property[at: "description"] != .null {
                    places.append(Place(path: [], schema: property, isWhole: false))
                }
                places += self.places(in: member.value, property, root: root, at: path + [.key(member.key)])
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                var item = schema[at: "items"]
                if case .array(let items) = schema[at: "prefixItems"], items.indices.contains(index) {
                    item = items[index]
                }
                if case .object = item {
                    places += self.places(in: element, item, root: root, at: path + [.index(index)])
                }
            }
        default: break
        }
        return places
    }

    /// Whether a value is of the kind that an alternative describes.
    private func fits(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        switch value {
        case .object(let object):
            guard case .object(let properties) = schema[at: "properties"] else { return false }
            let names = strings((properties["model"] ?? .null)[at: "enum"])
            if case .string(let model)? = object["model"], !names.isEmpty { return names == [model] }
            return object.members.allSatisfy { properties[$0.key] != nil }
        case .array: return schema[at: "type"] == "array"
        case .number: return schema[at: "type"] == "number"
        case .string: return schema[at: "type"] == "string" || !strings(schema[at: "enum"]).isEmpty
        default: return false
        }
    }

    /// The descriptions of all properties and definitions.
    private func descriptions(in schema: JSONValue) -> Set<String> {
        var found: Set<String> = []
        func visit(_ value: JSONValue) {
            switch value {
            case .object(let object):
                if case .string = value[at: "description"] { found.insert(value[at: "description"].text()) }
                for member in object.members where !["default", "examples"].contains(member.key) { visit(member.value) }
            case .array(let elements): for element in elements { visit(element) }
            default: break
            }
        }
        visit(schema)
        return found
    }
}

extension JSONObject {
    fileprivate func setting(_ key: String, to value: JSONValue?) -> JSONObject {
        var members = members.filter { $0.key != key }.map { ($0.key, $0.value) }
        if let value { members.append((key, value)) }
        return JSONObject(members)
    }
}

extension JSONValue {
    /// The value of a key; null where there is none.
    fileprivate subscript(at key: String) -> JSONValue {
        if case .object(let object) = self { object[key] ?? .null } else { .null }
    }

    fileprivate func value(at path: ArraySlice<Step>) -> JSONValue {
        guard let step = path.first else { return self }
        switch (step, self) {
        case (.key(let key), _): return self[at: key].value(at: path.dropFirst())
        case (.index(let index), .array(let elements)): return elements[index].value(at: path.dropFirst())
        default: return .null
        }
    }

    fileprivate func replacing(_ path: ArraySlice<Step>, by value: JSONValue) -> JSONValue {
        guard let step = path.first else { return value }
        switch (step, self) {
        case (.key(let key), .object(let object)):
            return .object(object.setting(key, to: self[at: key].replacing(path.dropFirst(), by: value)))
        case (.index(let index), .array(var elements)):
            elements[index] = elements[index].replacing(path.dropFirst(), by: value)
            return .array(elements)
        default: return self
        }
    }
}

extension String {
    /// The words after a phrase, which are separated by commas; none where the phrase is missing.
    fileprivate func components(after phrase: String) -> [String] {
        guard let range = ranges(of: phrase).first else { return [] }
        return self[range.upperBound...].split(separator: ",").map { $0.filter { $0 != " " } }
    }
}
