import LoupeBase

@testable import LoupeScene

/// The JSON Schema of a scene, as `SceneFields` describes it: what docs/schemas/scene.schema.json holds.
enum SceneSchema {
    static var json: JSONValue {
        let scene = SceneFields.scene.description
        var definitions = values
        for (name, object) in objects(of: scene) { definitions.append((name, schema(of: object))) }
        let own: [(String, JSONValue?)] = [
            ("$schema", ["description": "The path of this schema, for editors.", "type": "string"])
        ]
        let verify: [(String, JSONValue?)] = [
            (
                "verify",
                [
                    "description": "Limits for `loupe-render verify`; see docs/specification.md, section 9.",
                    "type": "object",
                ]
            )
        ]
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A scene of Loupe",
            "description": .string(scene.meaning), "type": "object",
            "properties": .object(JSONObject(own + properties(of: scene) + verify)),
            "additionalProperties": .bool(false),
            "$defs": .object(JSONObject(definitions)),
        ]
    }

    /// The objects below one, each once, in the order in which they are met.
    private static func objects(of root: FieldsDescription) -> [(String, FieldsDescription)] {
        var found: [(String, FieldsDescription)] = []
        func visit(_ kind: FieldKind) {
            switch kind {
            case .object(let description):
                let object = description()
                guard !found.contains(where: { $0.0 == object.name }) else { return }
                found.append((object.name, object))
                for row in object.rows { visit(row.kind) }
            case .array(let element, _): visit(element)
            case .either(let one, let other):
                visit(one)
                visit(other)
            default: break
            }
        }
        for row in root.rows { visit(row.kind) }
        return found
    }

    private static func schema(of object: FieldsDescription) -> JSONValue {
        let needed = object.rows.filter { if case .required = $0.need { true } else { false } }.map { $0.key }
        var members: [(String, JSONValue?)] = [
            ("description", .string(object.meaning)), ("type", "object"),
            ("properties", .object(JSONObject(properties(of: object)))),
            ("required", needed.isEmpty ? nil : strings(needed)), ("additionalProperties", .bool(false)),
        ]
        func each(_ keys: [String]) -> JSONValue { .array(keys.map { ["required": strings([$0])] }) }
        for row in object.rows {
            if case .requiredWithout(let other) = row.need { members.append(("anyOf", each([row.key, other]))) }
        }
        for rule in object.rules {
            switch rule {
            case .atMostOne(let keys) where keys.count == 2: members.append(("not", ["required": strings(keys)]))
            // What it allows is said in words.
            case .atMostOne: break
            case .atLeastOne(let keys): members.append(("anyOf", each(keys)))
            case .exactlyOne(let keys, _): members.append(("oneOf", each(keys)))
            }
        }
        return .object(JSONObject(members))
    }

    private static func properties(of object: FieldsDescription) -> [(String, JSONValue?)] {
        object.rows.map { row in
            let description: [(String, JSONValue?)] = [("description", .string(row.meaning))]
            return (row.key, .object(JSONObject(description + members(of: row.kind) + [("default", row.standard)])))
        }
    }

    private static func members(of kind: FieldKind) -> [(String, JSONValue?)] {
        func value(_ kind: FieldKind) -> JSONValue { .object(JSONObject(members(of: kind))) }
        return switch kind {
        case .number(let low, let high, _):
            [("type", "number"), ("minimum", .number(low)), ("maximum", high.map(JSONValue.number))]
        case .integer(let low, let high):
            [
                ("type", "integer"), ("minimum", .number(Double(low))),
                ("maximum", high.map { .number(Double($0)) }),
            ]
        case .flag: [("type", "boolean")]
        case .text: [("type", "string")]
        case .choice(let names): [("enum", strings(names))]
        case .named(let name): reference(name)
        case .numbers(let names, let range): tuple(names.map { ($0, range) })
        case .object(let description): reference(description().name)
        case .array(let element, let isEmptyAllowed):
            [("type", "array"), ("items", value(element)), ("minItems", isEmptyAllowed ? nil : 1)]
        case .either(let one, let other): [("oneOf", [value(one), value(other)])]
        }
    }

    private static func reference(_ name: String) -> [(String, JSONValue?)] {
        [("$ref", .string("#/$defs/\(name)"))]
    }

    private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    private static func tuple(_ items: [(name: String, range: ClosedRange<Double>)]) -> [(String, JSONValue?)] {
        let items = items.map { item -> JSONValue in
            [
                "type": "number", "minimum": .number(item.range.lowerBound), "maximum": .number(item.range.upperBound),
                "description": .string(item.name),
            ]
        }
        return [
            ("type", "array"), ("prefixItems", .array(items)), ("minItems", .number(Double(items.count))),
            ("items", .bool(false)),
        ]
    }

    /// The values that have names.
    private static var values: [(String, JSONValue?)] {
        func numbers(_ meaning: String, _ items: (name: String, range: ClosedRange<Double>)...) -> JSONValue {
            .object(JSONObject([("description", .string(meaning))] + tuple(items)))
        }
        let (place, side) = (JSONReader.coordinateRange, JSONReader.sideRange)
        let color: JSONValue = [
            "description": "A colour in sRGB with straight alpha: #rgb, #rgba, #rrggbb, #rrggbbaa or a name of CSS.",
            "type": "string",
            "anyOf": [
                ["pattern": "^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"],
                ["enum": strings((Color.names.map { $0.name } + ["transparent"]).sorted())],
                [
                    "pattern": "^[a-zA-Z]*[A-Z][a-zA-Z]*$",
                    "$comment": "A name, of which any letters may be capitals.",
                ],
            ],
        ]
        let path: JSONValue = [
            "description": "The path of an image, relative to the folder of this document.", "type": "string",
            "minLength": 1,
        ]
        let one: JSONValue = ["type": "number", "minimum": 0]
        let radius: JSONValue = [
            "description":
                "A corner's radius in canvas pixels; or [rx, ry], along the horizontal and the vertical edges.",
            "oneOf": [one, ["type": "array", "prefixItems": [one, one], "minItems": 2, "items": .bool(false)]],
        ]
        return [
            ("color", color), ("point", numbers("[x, y] in canvas pixels, y down.", ("x", place), ("y", place))),
            ("vector", numbers("[dx, dy] in canvas pixels, y down.", ("dx", place), ("dy", place))),
            (
                "rect",
                numbers(
                    "[x, y, width, height] in canvas pixels.", ("x", place), ("y", place), ("width", side),
                    ("height", side))
            ),
            ("path", path), ("radius", radius),
        ]
    }
}
