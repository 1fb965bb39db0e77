import CEGL
import CGLES
import Glibc
import Testing

@testable import LoupeRenderer

private let glGetFloatv: PFNGLGETFLOATVPROC = DriverLibrary.function("glGetFloatv")

@Suite struct ContextTests {
    @Test(arguments: [DeviceChoice.auto, .cpu])
    func workingDeviceDescribesItself(choice: DeviceChoice) throws {
        let info = try Context(choice).info
        #expect(info.version.hasPrefix("OpenGL ES 3."))
        #expect(info.shadingLanguageVersion.hasPrefix("OpenGL ES GLSL ES 3."))
        #expect(!info.vendor.isEmpty && !info.renderer.isEmpty && !info.eglVendor.isEmpty)
        #expect(info.eglVersion.hasPrefix("1."))
        // The least that OpenGL ES 3.0 allows (its table 6.28 and following).
        #expect(info.limits.textureSize >= 2048 && info.limits.subpixelBits >= 4)
        #expect(info.limits.viewportWidth >= 2048 && info.limits.viewportHeight >= 2048)
        if choice == .cpu { #expect(info.isSoftware) }
    }

    @Test func newContextIsCurrentAndClean() throws {
        let context = try Context()
        var framebuffer: GLint = -1
        glGetIntegerv(GLenum(GL_FRAMEBUFFER_BINDING), &framebuffer)
        #expect(framebuffer == 0)
        #expect(clearRed() == 0)
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        try withExtendedLifetime(context) { try ReadBackCheck.run() }
    }

    @Test func twoContextsKeepTheirStateApart() throws {
        let first = try Context()
        glClearColor(1, 0, 0, 0)
        let second = try Context()
        #expect(clearRed() == 0)
        try first.makeCurrent()
        #expect(clearRed() == 1)
        try second.makeCurrent()
        #expect(clearRed() == 0)
        try withExtendedLifetime((first, second)) { try ReadBackCheck.run() }
    }

    @Test func contextOutlivesAnotherOnTheSameDisplay() throws {
        let outer = try Context()
        do {
            let inner = try Context()
            try withExtendedLifetime(inner) { try ReadBackCheck.run() }
        }
        try outer.makeCurrent()
        try withExtendedLifetime(outer) { try ReadBackCheck.run() }
    }

    @Test func contextsOnSeveralThreadsAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let context = try Context()
                    try withExtendedLifetime(context) { try ReadBackCheck.run() }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func readBackCheckFailsOnAWrongPixel() throws {
        #expect(throws: EGLError.unusable("a pixel cleared to [51, 102, 153, 204] was read back as [0, 0, 0, 0]")) {
            try ReadBackCheck.verify([0, 0, 0, 0])
        }
        #expect(throws: EGLError.self) { try ReadBackCheck.verify([0x99, 0x66, 0x33, 0xcc]) }
        try ReadBackCheck.verify([0x33, 0x67, 0x98, 0xcc])
    }

    #if compiler(>=6.2)
        // In a process of its own, for the other tests open and close files meanwhile.
        @Test func contextsAndReportsLeaveNoFileOpen() async {
            await #expect(processExitsWith: .success) {
                _ = try Context()
                let before = openFileCount()
                for _ in 0..<5 { _ = try Context() }
                _ = DeviceProbe.report()
                _ = try? Context(.path("/dev/null"))
                #expect(openFileCount() == before)
                #expect(before > 2)
            }
        }

        // In a process of its own, for the display must not have been initialised by other tests.
        @Test(.enabled(if: hasSoftwareDevice, "it asks EGL for Mesa's software device"))
        func displayThatTheHostInitialisedStaysInitialised() async {
            await #expect(processExitsWith: .success) {
                let client = try EGLClient()
                let software = try #require(client.devices.first { $0.isSoftware })
                let getDisplay = try #require(client.getPlatformDisplay)
                let display = getDisplay(EGLenum(EGL_PLATFORM_DEVICE_EXT), software.handle, nil)
                do { _ = try Context(.cpu) }
                #expect(eglQueryString(display, EGL_VENDOR) == nil, "the display ended with its last context")
                #expect(eglInitialize(display, nil, nil) == EGLBoolean(EGL_TRUE))
                do { _ = try Context(.cpu) }
                #expect(eglQueryString(display, EGL_VENDOR) != nil)
            }
        }
    #endif

    private func clearRed() -> GLfloat {
        var color = [GLfloat](repeating: -1, count: 4)
        glGetFloatv(GLenum(GL_COLOR_CLEAR_VALUE), &color)
        return color[0]
    }
}

private func openFileCount() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
}
