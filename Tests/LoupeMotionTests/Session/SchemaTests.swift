import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeMotion

/// The JSON Schemas in docs/schemas say what the decoders do: which keys there are, which are needed, their ranges, names
/// and defaults. Each schema's examples reach all of it; every part of them is changed, and the decoder has to agree.
@Suite struct SchemaTests {
    /// The scenes that a document draws; throws what the decoder throws.
    private static func scenes(_ value: JSONValue, _ name: String) throws -> [Scene] {
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

    /// A value of a document, and the part of the schema that describes it.
    private struct Place {
        let value: JSONValue
        let schema: JSONValue
        /// The document with another value here.
        let replacing: (JSONValue) -> JSONValue
    }

    @Test(arguments: ["scene", "session", "trace"]) func decoderAgreesWithItsSchema(_ name: String) throws {
        let root = try schema(name)
        guard case .array(let examples) = root[at: "examples"] else { return fail("no examples") }
        var seen: Set<String> = []
        var allowed: [String: Set<String>] = [:]
        for example in examples {
            _ = try Self.scenes(example, name)
            for place in places(Place(value: example, schema: root) { $0 }, root: root, &seen) {
                try check(place, name, &allowed)
            }
        }
        var known: [String: Set<String>] = [:]
        for object in objects(in: root) {
            let description = object[at: "description"].text()
            if description != "null" {
                #expect(seen.contains(description), "no example of \(name) has: \(description)")
            }
            guard case .object(let properties) = object[at: "properties"] else { continue }
            known[description, default: []].formUnion(Set(properties.members.map(\.key)).subtracting(["$schema"]))
        }
        for (description, keys) in allowed.sorted(by: { $0.key < $1.key }) {
            let own = known[description] ?? []
            // What distinguishes a touch from a sample of the rotation rate is the lack of the key "rotation".
            let others = name == "trace" ? known.values.reduce(into: []) { $0.formUnion($1) } : own
            #expect(keys.isSuperset(of: own) && keys.isSubset(of: others), "\(name): the keys of \(description)")
        }
    }

    @Test("A schema has the names of all colours", arguments: ["scene", "session"])
    func colorNames(_ name: String) throws {
        guard case .array(let forms) = try schema(name)[at: "$defs"][at: "color"][at: "anyOf"] else {
            return fail("the forms of a colour are missing")
        }
        let names = forms.flatMap { strings($0[at: "enum"]) }
        #expect(Set(names).count == 149 && names.allSatisfy { Color(text: $0) != nil })
    }

    private func check(_ place: Place, _ name: String, _ allowed: inout [String: Set<String>]) throws {
        let what = place.schema[at: "description"].text()
        /// What the decoder says of the document with another value here; nil where it accepts it.
        func complaint(_ value: JSONValue) -> String? {
            do {
                _ = try Self.scenes(place.replacing(value), name)
                return nil
            } catch {
                return "\(error)"
            }
        }
        if case .object(let properties) = place.schema[at: "properties"], case .object(let members) = place.value {
            // Which keys are allowed may depend on the others: together, the examples show all.
            let said = complaint(.object(members.setting("§", to: .bool(true)))) ?? ""
            allowed[what, default: []].formUnion(said.components(after: "allowed are "))
            for key in strings(place.schema[at: "required"]) {
                #expect(complaint(.object(members.setting(key, to: nil))) != nil, "\(what): \(key) is not needed")
            }
            for property in properties.members where property.value[at: "default"] != .null {
                let without = JSONValue.object(members.setting(property.key, to: nil))
                let with = JSONValue.object(members.setting(property.key, to: property.value[at: "default"]))
                guard members[property.key] != nil, complaint(without) == nil, complaint(with) == nil else { continue }
                let scenes = try [without, with].map { try Self.scenes(place.replacing($0), name) }
                #expect(scenes[0] == scenes[1], "\(what): the default of \(property.key)")
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
            let others = Set(said.components(after: "allowed are "))
            // The schema of each model has its own name only.
            #expect(others == Set(names) || (what == "\"The motion model.\"" && others.contains(names[0])), "\(said)")
        }
    }

    // MARK: - Schemas

    private func schema(_ name: String) throws -> JSONValue {
        let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try #require(TemporaryFolder.bytes(at: "/\(folder)/docs/schemas/\(name).schema.json"))
        return try JSONValue(parsing: bytes)
    }

    private func strings(_ value: JSONValue) -> [String] {
        guard case .array(let values) = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// A schema and all that are in it.
    private func objects(in schema: JSONValue) -> [JSONValue] {
        switch schema {
        case .object(let object):
            let members = object.members.filter { !["default", "examples"].contains($0.key) }
            return [schema] + members.flatMap { objects(in: $0.value) }
        case .array(let elements): return elements.flatMap(objects)
        default: return []
        }
    }

    /// The schema that a reference in it names, or itself. Other files' schemas are left to their own tests.
    private func resolved(_ schema: JSONValue, root: JSONValue) -> JSONValue {
        guard case .string(let name) = schema[at: "$ref"], name.hasPrefix("#/$defs/") else { return schema }
        return root[at: "$defs"][at: String(name.dropFirst("#/$defs/".count))]
    }

    /// A place and every one in it that the schema describes, with their descriptions.
    private func places(_ place: Place, root: JSONValue, _ seen: inout Set<String>) -> [Place] {
        let schema = resolved(place.schema, root: root)
        seen.formUnion([place.schema, schema].map { $0[at: "description"].text() })
        var inner: [Place] = []
        if case .array(let alternatives) = schema[at: "oneOf"],
            let fitting = alternatives.map({ resolved($0, root: root) }).first(where: { fits(place.value, $0) })
        {
            inner.append(Place(value: place.value, schema: fitting, replacing: place.replacing))
        }
        switch place.value {
        case .object(let object):
            for (key, value) in object.members.map({ ($0.key, $0.value) }) {
                let property = schema[at: "properties"][at: key]
                guard property != .null else { continue }
                inner.append(
                    Place(value: value, schema: property) { place.replacing(.object(object.setting(key, to: $0))) })
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                var item = schema[at: "items"]
                if case .array(let items) = schema[at: "prefixItems"], items.indices.contains(index) {
                    item = items[index]
                }
                guard case .object = item else { continue }
                inner.append(
                    Place(value: element, schema: item) { value in
                        var changed = elements
                        changed[index] = value
                        return place.replacing(.array(changed))
                    })
            }
        default: break
        }
        return [Place(value: place.value, schema: schema, replacing: place.replacing)]
            + inner.flatMap { places($0, root: root, &seen) }
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
}

extension String {
    /// The words after a phrase, which are separated by commas; none where the phrase is missing.
    fileprivate func components(after phrase: String) -> [String] {
        guard let range = ranges(of: phrase).first else { return [] }
        return self[range.upperBound...].split(separator: ",").map { $0.filter { $0 != " " } }
    }
}
