// swift-tools-version: 6.1
import PackageDescription

/// The shaders are part of the binary. Named one by one, since a folder's other files are Swift.
let shaderFiles: [String] = [
    "mesh.vert", "no-edge.frag", "single-edge.frag", "corner.frag",
    "filter-columns.frag", "rim.frag", "shadow.frag", "finish.frag", "common",
]

/// The arrows of this file are the architecture: each target imports only what stands above it.
/// `tools/check-imports` fails when a source file imports anything that is not named here.
let package = Package(
    name: "Loupe",
    products: [
        .library(name: "LoupeGeometry", targets: ["LoupeGeometry"]),
        .library(name: "LoupeScene", targets: ["LoupeScene"]),
        .library(name: "LoupeMotion", targets: ["LoupeMotion"]),
        .library(name: "LoupeImaging", targets: ["LoupeImaging"]),
        .library(name: "LoupeOracle", targets: ["LoupeOracle"]),
        .library(name: "LoupeDiff", targets: ["LoupeDiff"]),
        .library(name: "LoupeVerify", targets: ["LoupeVerify"]),
        .library(name: "LoupeRenderer", targets: ["LoupeRenderer"]),
        .executable(name: "loupe-render", targets: ["loupe-render"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // System libraries: headers and link flags, no code.
        .systemLibrary(name: "CEGL", pkgConfig: "egl", providers: [.apt(["libegl-dev"])]),
        .systemLibrary(name: "CGLES", pkgConfig: "glesv2", providers: [.apt(["libgles-dev"])]),
        .systemLibrary(name: "CGBM", pkgConfig: "gbm", providers: [.apt(["libgbm-dev"])]),
        .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CPNG", dependencies: ["CLibPNG"]),

        // Pure: values in, values out.
        .target(name: "LoupeGeometry"),
        .target(name: "LoupeScene", dependencies: ["LoupeGeometry"]),
        .target(name: "LoupeMotion", dependencies: ["LoupeGeometry", "LoupeScene"]),
        .target(name: "LoupeImaging", dependencies: ["CPNG", "CDeflate", "CISAL"]),
        .target(name: "LoupeOracle", dependencies: ["LoupeGeometry", "LoupeScene", "LoupeImaging"]),
        .target(name: "LoupeDiff", dependencies: ["LoupeGeometry", "LoupeScene", "LoupeImaging"]),
        .target(
            name: "LoupeVerify", dependencies: ["LoupeScene", "LoupeImaging", "LoupeOracle", "LoupeDiff"]),

        // The GPU.
        .target(name: "LoupeShaders", path: "Shaders", resources: shaderFiles.map { .embedInCode($0) }),
        .target(name: "LoupeGLES", dependencies: ["CEGL", "CGLES", "CGBM"]),
        .target(
            name: "LoupeRenderer",
            dependencies: ["LoupeGeometry", "LoupeScene", "LoupeShaders", "LoupeGLES", "LoupeImaging"]),

        .target(
            name: "LoupeBench",
            dependencies: ["LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeRenderer"]),

        .executableTarget(
            name: "loupe-render",
            dependencies: [
                "LoupeGeometry", "LoupeScene", "LoupeMotion", "LoupeImaging", "LoupeOracle", "LoupeDiff", "LoupeVerify",
                "LoupeRenderer", "LoupeBench", "CMalloc",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Tests, and what several of them need.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "LoupeSceneTests", dependencies: ["LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(
            name: "LoupeMotionTests", dependencies: ["LoupeMotion", "LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(name: "LoupeGLESTests", dependencies: ["LoupeGLES", "CEGL", "CGLES"]),
        .testTarget(name: "LoupeGeometryTests", dependencies: ["LoupeGeometry"]),
        .testTarget(
            name: "LoupeOracleTests",
            dependencies: ["LoupeOracle", "LoupeGeometry", "LoupeScene", "LoupeImaging"],
            resources: [.copy("Data")]),
        .testTarget(name: "LoupeImagingTests", dependencies: ["LoupeImaging", "TestSupport"], exclude: ["Fixtures"]),
        .testTarget(
            name: "LoupeRendererTests",
            dependencies: [
                "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeOracle", "LoupeGLES", "LoupeRenderer", "CGLES",
                "TestSupport",
            ]),
        .testTarget(name: "CommandTests", dependencies: ["loupe-render", "LoupeImaging", "LoupeScene", "TestSupport"]),
        .testTarget(
            name: "LoupeDiffTests",
            dependencies: ["LoupeDiff", "LoupeGeometry", "LoupeScene", "LoupeImaging", "TestSupport"]),
        .testTarget(
            name: "LoupeBenchTests",
            dependencies: [
                "LoupeBench", "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeRenderer", "LoupeShaders",
            ]),
        .testTarget(
            name: "LoupeVerifyTests",
            dependencies: ["LoupeVerify", "LoupeDiff", "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeOracle"]),
    ]
)
