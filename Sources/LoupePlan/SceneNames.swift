import LoupeScene

// What a renderer has to name of a scene, so that it need not import the scene itself.

/// The path of an image as a scene names it.
public typealias ImagePath = LoupeScene.ImagePath
