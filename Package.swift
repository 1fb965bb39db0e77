// swift-tools-version: 6.1
import PackageDescription

/// The shaders are part of the binary. Named one by one, since a folder's other files are Swift.
let shaderFiles: [String] = [
    "mesh.vert", "no-edge.frag", "single-edge.frag", "corner.frag", "mixed-corners.frag",
    "horizontal-pass.frag", "rim.frag", "shadow.frag", "split.frag", "callout.frag",
    "copy.frag", "finish.frag", "common",
]

/// The pages' templates, styles and scripts are part of the binary too.
let pageFiles: [String] = [
    "base.css", "page.js", "payload.js", "pictures.js", "lens.js", "verify.html", "verify.css", "verify.js",
    "viewer.js",
    "live.html", "live-reader.html", "live.css", "live-gl.js", "live-module.js",
    "live-figure.js",
    "live-start.js", "live-session.html", "live-session.css", "live-session.js", "live-recorder.js",
    "live-editor.html", "live-editor.css", "live-editor.js", "live-embed.js",
]

/// The arrows of this file are the architecture: each target imports only what stands above it.
/// `tools/check/imports` fails when a source file imports anything that is not named here.
let package = Package(
    name: "Loupe",
    products: [
        .library(name: "LoupeGeometry", targets: ["LoupeGeometry"]),
        .library(name: "LoupeJSON", targets: ["LoupeJSON"]),
        .library(name: "LoupeScene", targets: ["LoupeScene"]),
        .library(name: "LoupePlan", targets: ["LoupePlan"]),
        .library(name: "LoupeFiles", targets: ["LoupeFiles"]),
        .library(name: "LoupeMotion", targets: ["LoupeMotion"]),
        .library(name: "LoupeImaging", targets: ["LoupeImaging"]),
        .library(name: "LoupeOracle", targets: ["LoupeOracle"]),
        .library(name: "LoupeVector", targets: ["LoupeVector"]),
        .library(name: "LoupeDiff", targets: ["LoupeDiff"]),
        .library(name: "LoupeVerify", targets: ["LoupeVerify"]),
        .library(name: "LoupeRenderer", targets: ["LoupeRenderer"]),
        .library(name: "LoupePipeline", targets: ["LoupePipeline"]),
        // With the modules that its functions take values of, so that a test target names one product.
        .library(
            name: "LoupeTesting",
            targets: [
                "LoupeTesting", "LoupeVerify", "LoupeDiff", "LoupeImaging", "LoupeScene", "LoupeGeometry",
            ]),
        .executable(name: "loupe-render", targets: ["loupe-render"]),
        .executable(name: "loupe-documents", targets: ["loupe-documents"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // System libraries: headers and link flags, no code. The first two are loaded when a device is asked for.
        .systemLibrary(name: "CEGL", providers: [.apt(["libegl-dev"])]),
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
        .systemLibrary(name: "CMalloc"),
        .target(name: "CPNG", dependencies: ["CLibPNG"]),
        .target(name: "CSandbox"),

        // Pure: values in, values out.
        .target(name: "LoupeMath"),
        .target(name: "LoupeGeometry", dependencies: ["LoupeMath"]),
        .target(name: "LoupeJSON"),
        .target(name: "LoupeScene", dependencies: ["LoupeMath", "LoupeGeometry", "LoupeJSON"]),
        .target(name: "LoupePlan", dependencies: ["LoupeMath", "LoupeGeometry", "LoupeScene"]),
        .target(name: "LoupeMotion", dependencies: ["LoupeMath", "LoupeGeometry", "LoupeJSON", "LoupeScene"]),
        .target(
            name: "LoupeCompose", dependencies: ["LoupeMath", "LoupeGeometry", "LoupeJSON", "LoupeScene", "LoupePlan"]),
        .target(
            name: "LoupeEditor",
            dependencies: ["LoupeGeometry", "LoupeJSON", "LoupeScene", "LoupePlan", "LoupeCompose"]),
        .target(name: "LoupeFiles", dependencies: ["LoupeJSON", "CLinux", "CNettle", "CMalloc"]),
        .target(name: "LoupeSandbox", dependencies: ["CSandbox", "LoupeFiles"]),
        .executableTarget(
            name: "loupe-documents", dependencies: ["LoupeSandbox", "CSandbox", "CRSVG", "CPango", "CPoppler"]),
        .target(
            name: "LoupeImaging",
            dependencies: [
                "LoupeGeometry", "LoupeJSON", "LoupeFiles", "LoupeSandbox", "CPNG", "CDeflate", "CISAL", "CTurboJPEG",
                "CWebP", "CLCMS",
            ]),
        .target(
            name: "LoupeOracle",
            dependencies: ["LoupeMath", "LoupeJSON", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeImaging"]),
        .target(
            name: "LoupeDiff", dependencies: ["LoupeJSON", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeImaging"]),
        .target(
            name: "LoupeVerify",
            dependencies: [
                "LoupeJSON", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeOracle", "LoupeDiff",
            ]),

        // Figures of vectors.
        .target(
            name: "LoupeVector",
            dependencies: [
                "LoupeMath", "LoupeGeometry", "LoupeScene", "LoupePlan", "LoupeFiles", "LoupeSandbox", "LoupeImaging",
            ]),

        // The GPU.
        .target(
            name: "LoupeShaders", dependencies: ["LoupePlan"], path: "Shaders",
            resources: shaderFiles.map { .embedInCode($0) }),
        .target(name: "LoupeGLES", dependencies: ["LoupeFiles", "CEGL", "CGLES"]),
        .target(name: "LoupeDoctor", dependencies: ["LoupeJSON", "LoupeFiles"]),
        .target(
            name: "LoupeRenderer",
            dependencies: [
                "LoupeJSON", "LoupePlan", "LoupeFiles", "LoupeGeometry", "LoupeShaders", "LoupeGLES", "LoupeImaging",
            ]),

        .target(
            name: "LoupePipeline",
            dependencies: [
                "LoupeMath", "LoupeGeometry", "LoupeJSON", "LoupeScene", "LoupePlan", "LoupeCompose", "LoupeMotion",
                "LoupeFiles", "LoupeImaging", "LoupeOracle", "LoupeVector", "LoupeRenderer",
            ]),

        .target(
            name: "LoupeBench",
            dependencies: [
                "LoupeJSON", "LoupePlan", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeRenderer",
            ]),
        .target(
            name: "LoupeReport",
            dependencies: ["LoupeJSON", "LoupeFiles", "LoupeImaging", "LoupeDiff", "LoupeVerify"],
            resources: pageFiles.map { .embedInCode("page/\($0)") }),

        .target(
            name: "LoupeTesting",
            dependencies: [
                "LoupeJSON", "LoupePlan", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeOracle",
                "LoupeDiff", "LoupeVerify",
                "LoupeRenderer",
            ]),

        .executableTarget(
            name: "loupe-render",
            dependencies: [
                "LoupeJSON", "LoupePlan", "LoupeCompose", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeMotion",
                "LoupeImaging", "LoupeOracle", "LoupeVector", "LoupeDiff", "LoupeVerify", "LoupeEditor",
                "LoupeReport", "LoupeDoctor", "LoupeRenderer", "LoupePipeline", "LoupeBench", "CLinux",
                "CMalloc",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Tests, and what several of them need.
        .target(name: "TestSupport", dependencies: ["LoupeGLES"], path: "Tests/TestSupport"),
        .testTarget(
            name: "LoupeSceneTests",
            dependencies: ["LoupeJSON", "LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(name: "LoupeJSONTests", dependencies: ["LoupeScene", "LoupeJSON", "TestSupport"]),
        .testTarget(
            name: "LoupePlanTests",
            dependencies: ["LoupeJSON", "LoupePlan", "LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(
            name: "LoupeComposeTests",
            dependencies: ["LoupeCompose", "LoupeJSON", "LoupePlan", "LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(name: "LoupeFilesTests", dependencies: ["LoupeFiles", "TestSupport"]),
        .testTarget(
            name: "LoupeMotionTests",
            dependencies: ["LoupeJSON", "LoupeMotion", "LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(
            name: "LoupeEditorTests",
            dependencies: ["LoupeEditor", "LoupeCompose", "LoupeJSON", "LoupePlan", "LoupeGeometry", "LoupeScene"]),
        .testTarget(name: "LoupeDoctorTests", dependencies: ["LoupeFiles", "LoupeJSON", "LoupeDoctor", "TestSupport"]),
        .testTarget(name: "LoupeGLESTests", dependencies: ["LoupeFiles", "LoupeGLES", "CEGL", "CGLES", "TestSupport"]),
        .testTarget(name: "LoupeMathTests", dependencies: ["LoupeMath", "TestSupport"]),
        .testTarget(name: "LoupeGeometryTests", dependencies: ["LoupeGeometry"]),
        .testTarget(
            name: "LoupeOracleTests",
            dependencies: ["LoupePlan", "LoupeOracle", "LoupeGeometry", "LoupeScene", "LoupeImaging"],
            resources: [.copy("Data")]),
        .testTarget(
            name: "LoupeVectorTests",
            dependencies: ["LoupeVector", "LoupeImaging", "LoupePlan", "LoupeGeometry", "LoupeScene", "TestSupport"]),
        .testTarget(
            name: "LoupeImagingTests",
            dependencies: ["LoupeGeometry", "LoupeFiles", "LoupeSandbox", "LoupeImaging", "CPNG", "TestSupport"],
            exclude: ["Fixtures"]),
        .executableTarget(name: "sandbox-probe", dependencies: ["CSandbox"], path: "Tests/SandboxProbe"),
        .testTarget(
            name: "LoupeSandboxTests",
            dependencies: ["LoupeSandbox", "TestSupport", "loupe-documents", "sandbox-probe"]),
        .testTarget(
            name: "LoupeRendererTests",
            dependencies: [
                "LoupeJSON", "LoupePlan", "LoupeMotion", "LoupeFiles", "LoupeGeometry", "LoupeScene", "LoupeImaging",
                "LoupeOracle", "LoupeDiff", "LoupeVerify", "LoupeGLES", "LoupeRenderer", "LoupeShaders", "LoupeTesting",
                "CGLES", "CMalloc", "TestSupport",
            ]),
        .testTarget(
            name: "LoupePipelineTests",
            dependencies: [
                "LoupeFiles",
                "LoupePipeline", "LoupeGeometry", "LoupeScene", "LoupePlan", "LoupeImaging", "LoupeOracle",
                "LoupeRenderer", "TestSupport",
            ],
            exclude: ["Pages"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "LoupeFiles",
                "LoupeJSON", "LoupeGeometry", "LoupeImaging", "LoupeScene", "TestSupport",
            ],
            exclude: ["Faults"]),
        .testTarget(
            name: "LoupeDiffTests",
            dependencies: ["LoupeFiles", "LoupeDiff", "LoupeGeometry", "LoupeScene", "LoupeImaging", "TestSupport"]),
        .testTarget(
            name: "LoupeBenchTests",
            dependencies: [
                "LoupeFiles",
                "LoupeJSON", "LoupePlan", "LoupeBench", "LoupeGeometry", "LoupeScene", "LoupeImaging", "LoupeRenderer",
                "LoupeShaders", "TestSupport",
            ]),
        .testTarget(
            name: "LoupeVerifyTests",
            dependencies: [
                "LoupeJSON", "LoupeFiles", "LoupeVerify", "LoupeDiff", "LoupeGeometry", "LoupeScene", "LoupeImaging",
                "LoupeOracle",
            ]),
        .testTarget(
            name: "LoupeTestingTests",
            dependencies: [
                "LoupeJSON", "LoupeFiles", "LoupeTesting", "LoupeVerify", "LoupeDiff", "LoupeGeometry", "LoupeScene",
                "LoupeImaging",
                "LoupeOracle", "LoupeRenderer", "TestSupport",
            ]),
        .testTarget(
            name: "LoupeReportTests",
            dependencies: [
                "LoupeFiles",
                "LoupeJSON", "LoupePlan", "LoupeScene", "LoupeImaging", "LoupeReport", "LoupeVerify", "TestSupport",
            ]),
        .testTarget(
            name: "SnippetTests",
            dependencies: [
                "LoupeDiff", "LoupeFiles", "LoupeGeometry", "LoupeImaging", "LoupeJSON", "LoupeMotion", "LoupeOracle",
                "LoupePipeline", "LoupePlan", "LoupeRenderer", "LoupeScene", "LoupeTesting", "LoupeVector",
                "LoupeVerify",
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
        "LoupeMath", "LoupeGeometry", "LoupeJSON", "LoupeScene", "LoupePlan", "LoupeCompose", "LoupeMotion",
        "LoupeEditor",
        "LoupeFiles", "LoupeSandbox", "loupe-documents", "LoupeImaging", "LoupeOracle", "LoupeVector", "LoupeDiff",
        "LoupeRenderer",
        "LoupeBench", "LoupePipeline",
        // Their own loops took a quarter of the time of all tests.
        "LoupeGeometryTests", "LoupePlanTests", "LoupeMotionTests", "LoupeImagingTests", "LoupeDiffTests",
        "LoupePipelineTests",
    ]
    // Small functions of these are inlined in other modules, which are then compiled again after a change of one.
    let inlined: Set = ["LoupeMath", "LoupeGeometry"]
    let ofC: Set = ["CPNG", "CSandbox", "sandbox-probe"]
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
