// swift-tools-version: 6.0
import PackageDescription

/// The shaders are part of the binary. Named one by one, since a folder's other files are Swift.
let shaderFiles: [String] = [
    "mesh.vert", "no-edge.frag", "single-edge.frag", "corner.frag",
    "horizontal-pass.frag", "rim.frag", "shadow.frag", "split.frag", "callout.frag",
    "copy.frag", "finish.frag", "common",
]

/// The pages' templates, styles and scripts are part of the binary too.
let pageFiles: [String] = [
    "base.css", "page.js", "payload.js", "pictures.js", "lens.js", "verify.html", "verify.css", "verify.js",
    "viewer.js", "viewer.css", "changes.js", "crops.html", "crops.css", "crops.js",
    "live.html", "live-reader.html", "live.css", "live-gl.js", "live-module.js", "live-figure.js", "live-start.js",
    "live-session.html", "live-session.css", "live-session.js", "live-recorder.js",
    "edit.html", "edit.css", "edit.js", "live-embed.js",
]

/// The arrows of this file are the architecture: each target imports only what stands above it.
/// `tools/check/imports` fails when a source file imports anything that is not named here.
let package = Package(
    name: "Loupe",
    products: [
        .library(name: "LoupeBase", targets: ["LoupeBase"]),
        .library(name: "LoupeScene", targets: ["LoupeScene"]),
        .library(name: "LoupeFigure", targets: ["LoupeFigure"]),
        .library(name: "LoupeMotion", targets: ["LoupeMotion"]),
        .library(name: "LoupeImaging", targets: ["LoupeImaging"]),
        .library(name: "LoupeOracle", targets: ["LoupeOracle"]),
        .library(name: "LoupeCompare", targets: ["LoupeCompare"]),
        .library(name: "LoupePipeline", targets: ["LoupePipeline"]),
        // With the modules that its functions take values of, so that a test target names one product.
        .library(
            name: "LoupeTesting",
            targets: ["LoupeTesting", "LoupeCompare", "LoupeImaging", "LoupeScene", "LoupeBase"]),
        .executable(name: "loupe-render", targets: ["loupe-render"]),
        .executable(name: "loupe-documents", targets: ["loupe-documents"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // System libraries: headers and link flags, no code. The first two are loaded when a device is asked for.
        .systemLibrary(name: "CEGL", providers: [.apt(["libegl-dev", "libgbm-dev"])]),
        .systemLibrary(name: "CGLES", providers: [.apt(["libgles-dev"])]),
        .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        // Of the helper program alone, which draws documents that are not trusted.
        .systemLibrary(name: "CRSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
        .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CPNG", dependencies: ["CLibPNG"]),
        .target(name: "CSandbox", linkerSettings: [.linkedLibrary("m")]),
        // Of the helper program alone. pkg-config names OpenEXR's libraries of C++ too, which it does not need; the folders of
        // headers that it names from OpenEXR 3.2 on are reached by the headers in `shim`.
        .target(
            name: "CEXR", cSettings: [.headerSearchPath("shim")], linkerSettings: [.linkedLibrary("OpenEXRCore")]),
        .target(
            name: "COverrides", dependencies: ["CRSVG"], linkerSettings: [.linkedLibrary("z"), .linkedLibrary("jpeg")]),
        // giflib and libheif are loaded when a picture needs them, never linked.
        .target(name: "CPictures", linkerSettings: [.linkedLibrary("tiff")]),

        // Pure: values in, values out.
        .target(name: "LoupeBase"),
        .target(name: "LoupeScene", dependencies: ["LoupeBase"]),
        .target(name: "LoupePlan", dependencies: ["LoupeBase", "LoupeScene"]),
        .target(name: "LoupeMotion", dependencies: ["LoupeBase", "LoupeScene"]),
        .target(name: "LoupeFigure", dependencies: ["LoupeBase", "LoupeScene", "LoupePlan"]),

        .target(name: "LoupeSystem", dependencies: ["LoupeBase", "CSandbox", "CLinux"]),
        .executableTarget(
            name: "loupe-documents",
            dependencies: ["LoupeSystem", "CSandbox", "CEXR", "COverrides", "CPictures", "CRSVG", "CPango", "CPoppler"]),
        .target(
            name: "LoupeImaging",
            dependencies: [
                "LoupeBase", "LoupeSystem", "CPNG", "CDeflate", "CISAL", "CTurboJPEG", "CWebP", "CLCMS", "CNettle",
            ]),

        // Judges the others, so it does not know the plan.
        .target(name: "LoupeOracle", dependencies: ["LoupeBase", "LoupeScene", "LoupeSystem", "LoupeImaging"]),
        .target(
            name: "LoupeCompare",
            dependencies: ["LoupeBase", "LoupeScene", "LoupeFigure", "LoupeSystem", "LoupeImaging", "LoupeOracle"]),

        // The GPU.
        .target(
            name: "LoupeShaders", dependencies: ["LoupePlan"], path: "Shaders",
            resources: shaderFiles.map { .embedInCode($0) }),
        .target(
            name: "LoupeRenderer",
            dependencies: [
                "LoupeBase", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeShaders", "CEGL", "CGLES",
            ]),

        .target(
            name: "LoupePipeline",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeFigure", "LoupeMotion", "LoupeSystem", "LoupeImaging",
                "LoupeOracle", "LoupeRenderer",
            ]),
        .target(
            name: "LoupeBench",
            dependencies: ["LoupeBase", "LoupeScene", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeRenderer"]),
        .target(
            name: "LoupeReport",
            dependencies: ["LoupeBase", "LoupeScene", "LoupeFigure", "LoupeSystem", "LoupeImaging", "LoupeCompare"],
            resources: pageFiles.map { .embedInCode("page/\($0)") }),
        .target(
            name: "LoupeTesting",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeOracle", "LoupeCompare",
                "LoupeRenderer",
            ]),
        .executableTarget(
            name: "loupe-render",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeFigure", "LoupeMotion", "LoupeSystem", "LoupeImaging",
                "LoupeOracle", "LoupeCompare", "LoupeReport", "LoupeRenderer", "LoupePipeline", "LoupeBench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Tests, and what several of them need.
        .target(
            name: "TestSupport", dependencies: ["LoupeBase", "LoupeScene", "LoupeRenderer"],
            path: "Tests/TestSupport"),
        .testTarget(name: "LoupeBaseTests", dependencies: ["LoupeBase", "LoupeScene", "TestSupport"]),
        .testTarget(name: "LoupeSceneTests", dependencies: ["LoupeBase", "LoupeScene", "TestSupport"]),
        .testTarget(name: "LoupePlanTests", dependencies: ["LoupeBase", "LoupeScene", "LoupePlan", "TestSupport"]),
        .testTarget(
            name: "LoupeFigureTests",
            dependencies: ["LoupeBase", "LoupeScene", "LoupePlan", "LoupeFigure", "TestSupport"]),
        .testTarget(name: "LoupeMotionTests", dependencies: ["LoupeBase", "LoupeScene", "LoupeMotion", "TestSupport"]),
        .executableTarget(name: "sandbox-probe", dependencies: ["CSandbox"], path: "Tests/SandboxProbe"),
        .testTarget(
            name: "LoupeSystemTests", dependencies: ["LoupeSystem", "TestSupport", "loupe-documents", "sandbox-probe"]),
        .testTarget(
            name: "LoupeImagingTests",
            dependencies: ["LoupeBase", "LoupeSystem", "LoupeImaging", "CPNG", "TestSupport"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "LoupeOracleTests",
            dependencies: ["LoupeBase", "LoupeScene", "LoupePlan", "LoupeImaging", "LoupeOracle", "TestSupport"],
            exclude: ["Data"]),
        .testTarget(
            name: "LoupeCompareTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupeSystem", "LoupeImaging", "LoupeOracle", "LoupeCompare", "TestSupport",
            ]),
        .testTarget(
            name: "LoupeRendererTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeOracle",
                "LoupeCompare", "LoupeShaders", "LoupeRenderer", "LoupeTesting", "CEGL", "CGLES", "CLinux",
                "TestSupport",
            ]),
        .testTarget(
            name: "LoupePipelineTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeOracle", "LoupeRenderer",
                "LoupeFigure", "LoupePipeline", "TestSupport",
            ],
            exclude: ["Pages"]),
        .testTarget(
            name: "LoupeBenchTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeShaders", "LoupeRenderer",
                "LoupeBench", "CEGL", "CGLES", "TestSupport",
            ]),
        .testTarget(
            name: "LoupeReportTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeSystem", "LoupeImaging", "LoupeCompare", "LoupeReport",
                "TestSupport",
            ]),
        .testTarget(
            name: "LoupeTestingTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupeSystem", "LoupeImaging", "LoupeOracle", "LoupeCompare",
                "LoupeRenderer", "LoupeTesting", "TestSupport",
            ]),
        .testTarget(
            name: "CommandTests",
            dependencies: ["LoupeBase", "LoupeScene", "LoupeSystem", "LoupeImaging", "TestSupport"],
            exclude: ["Faults"]),
        .testTarget(
            name: "SnippetTests",
            dependencies: [
                "LoupeBase", "LoupeScene", "LoupePlan", "LoupeMotion", "LoupeFigure", "LoupeSystem", "LoupeImaging",
                "LoupeOracle", "LoupeCompare", "LoupeRenderer", "LoupePipeline", "LoupeTesting",
            ]),
    ]
)

// `tools/test` sets LOUPE_TESTS and builds for release, in which ArgumentParser does not check the command's own
// description again at every start (two thirds of a start in a debug build). These modules are optimised, each as a
// whole: unoptimised code draws and compares pictures 20 to 100 times slower. LoupeBench is one of them because it
// refuses to time an unoptimised build. All others are compiled as in a debug build, so that only the files are
// recompiled that a change reaches.
if Context.environment["LOUPE_TESTS"] != nil {
    let optimized: Set = [
        "LoupeBase", "LoupeScene", "LoupePlan", "LoupeMotion", "LoupeFigure", "LoupeSystem", "loupe-documents",
        "LoupeImaging", "LoupeOracle", "LoupeCompare", "LoupeRenderer", "LoupePipeline", "LoupeBench",
        // Their own loops took a quarter of the time of all tests.
        "LoupeBaseTests", "LoupePlanTests", "LoupeMotionTests", "LoupeImagingTests", "LoupeCompareTests",
        "LoupePipelineTests",
    ]
    // Its small functions are inlined in other modules, which are then compiled again after a change of one.
    let inlined: Set = ["LoupeBase"]
    let ofC: Set = ["CPNG", "CSandbox", "CEXR", "COverrides", "CPictures", "sandbox-probe"]
    for target in package.targets where target.type != .system && !ofC.contains(target.name) {
        target.swiftSettings =
            optimized.contains(target.name)
            ? [
                .unsafeFlags(
                    ["-O", "-whole-module-optimization", "-num-threads", "2"]
                        + (inlined.contains(target.name) ? [] : ["-disable-cmo"]))
            ]
            : [
                .unsafeFlags(
                    ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
            ]
    }
}
