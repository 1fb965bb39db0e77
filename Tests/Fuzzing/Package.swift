// swift-tools-version: 6.0
import PackageDescription

/// A separate package, so that the normal build does not include it. `tools/fuzz` builds and runs it.
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
