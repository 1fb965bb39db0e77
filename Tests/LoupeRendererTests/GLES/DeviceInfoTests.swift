import Testing

@testable import LoupeRenderer

@Suite struct DeviceInfoTests {
    @Test(arguments: [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", true, true),
        ("softpipe", false, true),
        ("Google SwiftShader", false, true),
        ("zink Vulkan 1.3(llvmpipe (LLVM 15.0.6, 256 bits) (MESA_LLVMPIPE))", false, true),
        ("zink Vulkan 1.3(NVIDIA H200 (NVIDIA_PROPRIETARY))", true, false),
        ("NVIDIA H200/PCIe/SSE2", false, false),
        ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", false, false),
        ("a renderer yet to come", true, true),
    ])
    func tellsSoftwareByTheRendererThenByTheDevice(renderer: String, onSoftwareDevice: Bool, isSoftware: Bool) {
        #expect(DeviceInfo.isSoftware(renderer: renderer, onSoftwareDevice: onSoftwareDevice) == isSoftware)
    }
}
