// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "PictureTests",
    dependencies: [
        // Elsewhere: the repository's address and a version.
        .package(name: "Loupe", path: "../..")
    ],
    targets: [
        .testTarget(
            name: "PictureTests",
            dependencies: [.product(name: "LoupeTesting", package: "Loupe")],
            exclude: ["__References__"])
    ])
