extension Scene {
    /// The same scene with its images under other paths.
    public func renamingImages(_ name: (_ path: String) -> String) -> Scene {
        var scene = self
        for index in scene.layers.indices {
            guard case .image(let path) = scene.layers[index].content else { continue }
            scene.layers[index].content = .image(path: name(path))
        }
        return scene
    }
}
