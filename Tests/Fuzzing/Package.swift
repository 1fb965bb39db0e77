// swift-tools-version: 6.1
import PackageDescription

/// A package of its own, so that nothing of it enters the normal build. `tools/fuzz` builds and runs it.
let package = Package(
    name: "Fuzzing",
    dependencies: [.package(name: "Loupe", path: "../..")],
    targets: [
        .executableTarget(
            name: "loupe-fuzz",
            dependencies: [
                .product(name: "LoupeImaging", package: "Loupe"),
                .product(name: "LoupeMotion", package: "Loupe"),
                .product(name: "LoupeScene", package: "Loupe"),
            ])
    ]
)
