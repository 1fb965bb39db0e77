import LoupeBase
import LoupeSystem

extension DeviceReport {
    /// What this machine has for a device, and what is wrong with it.
    package var examination: Examination {
        Examination(
            of: .this, chosenIsSoftware: chosenInfo?.isSoftware, oldVersions: candidates.compactMap(\.oldVersion))
    }

    private var chosenInfo: DeviceInfo? { chosen.flatMap { candidates[$0].info } }

    /// The device that was chosen, as lines for a person; none where there is none.
    package var chosenLines: [String] {
        guard let info = chosenInfo else { return [] }
        let limits = info.limits
        return [
            "  vendor    \(info.vendor)", "  renderer  \(info.renderer)", "  version   \(info.version)",
            "  GLSL      \(info.shadingLanguageVersion)", "  EGL       \(info.eglVersion), \(info.eglVendor)",
            "  software  \(info.isSoftware ? "yes" : "no")",
            "  limits    textures \(limits.textureSize), viewport \(limits.viewportWidth)×\(limits.viewportHeight), subpixel bits \(limits.subpixelBits)",
        ]
    }

    /// The candidates, the choice, and what the machine has, as one object.
    package func json(sandbox: Sandbox?) -> JSONValue {
        let members: [(String, JSONValue?)] = [
            ("candidates", .array(candidates.map(\.json))),
            ("chosen", chosen.map { .number(Double($0)) } ?? .null), ("reason", .string(reason)),
        ]
        let limits = sandbox.map { ["landlock": .bool($0.limitsFiles), "seccomp": .bool($0.limitsCalls)] as JSONValue }
        return .object(JSONObject(members + examination.json + [("sandbox", limits ?? .null)]))
    }
}

extension DeviceCandidate {
    fileprivate var info: DeviceInfo? { if case .works(let info) = outcome { info } else { nil } }

    fileprivate var json: JSONValue {
        let outcome: (name: String, reason: String?) =
            switch outcome {
            case .works: ("works", nil)
            case .failed(let reason): ("failed", reason)
            case .untried: ("untried", nil)
            }
        return [
            "index": .number(Double(index)), "platform": .string(platform.rawValue), "name": .string(name),
            "path": path.map { .string($0.description) }, "outcome": .string(outcome.name),
            "reason": outcome.reason.map(JSONValue.string), "device": info?.json,
        ]
    }
}

extension DeviceInfo {
    fileprivate var json: JSONValue {
        let sizes: [(String, Int)] = [
            ("textureSize", limits.textureSize), ("viewportWidth", limits.viewportWidth),
            ("viewportHeight", limits.viewportHeight), ("subpixelBits", limits.subpixelBits),
        ]
        return [
            "vendor": .string(vendor), "renderer": .string(renderer), "version": .string(version),
            "shadingLanguageVersion": .string(shadingLanguageVersion), "eglVendor": .string(eglVendor),
            "eglVersion": .string(eglVersion), "software": .bool(isSoftware),
            "limits": .object(JSONObject(sizes.map { ($0, .number(Double($1))) })),
            "extensions": .array(extensions.sorted().map(JSONValue.string)),
        ]
    }
}
