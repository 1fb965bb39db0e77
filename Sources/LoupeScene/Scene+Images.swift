extension Scene {
    /// The same scene with its images under other paths.
    public func renamingImages(_ name: (_ path: String) -> String) -> Scene {
        var scene = self
        for index in scene.layers.indices {
            guard case .image(let path) = scene.layers[index].content else { continue }
            scene.layers[index].content = .image(path: name(path))
        }
        for index in scene.loupes.indices {
            guard let path = scene.loupes[index].split?.image else { continue }
            scene.loupes[index].split?.image = name(path)
        }
        return scene
    }
}
