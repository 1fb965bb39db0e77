import LoupePlan

extension Shader {
    /// The text of its file.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    private var bytes: [UInt8] {
        switch self {
        case .mesh: PackageResources.mesh_vert
        case .noEdge: PackageResources.no_edge_frag
        case .singleEdge: PackageResources.single_edge_frag
        case .corner: PackageResources.corner_frag
        case .horizontalPass: PackageResources.horizontal_pass_frag
        case .rim: PackageResources.rim_frag
        case .shadow: PackageResources.shadow_frag
        case .split: PackageResources.split_frag
        case .callout: PackageResources.callout_frag
        case .copy: PackageResources.copy_frag
        case .finish: PackageResources.finish_frag
        }
    }
}
