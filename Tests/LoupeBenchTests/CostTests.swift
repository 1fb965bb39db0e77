import LoupePlan
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeBench

@Suite struct CostTests {
    /// As radeonsi of Mesa 22.3.6 prints it, shortened.
    private static let radeonsi = """
        radeonsi: Compiling shader 4
        SHADER KEY
          mono.fbfetch_layered = 0

        Pixel Shader:
        Shader main disassembly:
        main:
        BB0_0:
        \ts_mov_b32 s0, s2                                                          ; BE800002
        \ts_mov_b32 s3, 0x30016fac                                                  ; BE8300FF 30016FAC
        \tv_dual_sub_f32 v7, v7, v3 :: v_dual_add_nc_u32 v10, 1, v9                 ; C9600707 070A1281
        Shader epilog disassembly:
        \texp mrt0 v0, v1, off, off done      ; F8000803 00000100
        \ts_endpgm                            ; BFB00000

        *** SHADER CONFIG ***
        SPI_PS_INPUT_ADDR = 0xf377
        *** SHADER STATS ***
        SGPRS: 24
        VGPRS: 18
        Spilled SGPRs: 1
        Spilled VGPRs: 2
        Private memory VGPRs: 0
        Code Size: 308 bytes
        LDS: 0 bytes
        Scratch: 0 bytes per wave
        Max Waves: 16
        ********************
        """

    @Test("What radeonsi prints is read, and only the last shader counts") func radeonsiReport() throws {
        let lines = Self.radeonsi.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let cost = try #require(ShaderCost(radeonsi: lines))
        #expect(cost == ShaderCost(instructions: 5, registers: 18, scratch: 0))
        #expect(ShaderCost(radeonsi: lines + lines) == cost)
        #expect(ShaderCost(radeonsi: Array(lines.prefix(4))) == nil)
        // A variant for known uniforms, which the driver compiles when it likes.
        let variant = lines.map {
            $0.replacing("mono.fbfetch_layered = 0", with: "opt.inline_uniforms = 1 (0x0, 0x0, 0x0, 0x0)").replacing(
                "VGPRS: 18", with: "VGPRS: 4")
        }
        #expect(ShaderCost(radeonsi: lines + variant) == cost && ShaderCost(radeonsi: variant + lines) == cost)
        #expect(ShaderCost(radeonsi: variant) == nil)
    }

    @Test("What nouveau says is read, and of other stages nothing") func nouveau() {
        let cost = ShaderCost(nouveau: "type: 4, local: 16, shared: 0, gpr: 22, inst: 49, bytes: 784, cached: 0")
        #expect(cost == ShaderCost(instructions: 49, registers: 22, scratch: 16))
        #expect(ShaderCost(nouveau: "type: 0, local: 0, shared: 0, gpr: 8, inst: 5, bytes: 80, cached: 0") == nil)
        #expect(ShaderCost(nouveau: "Shader has 3 loops") == nil)
    }

    @Test("A shader has grown where it needs more of anything") func growth() {
        let base = ShaderCost(instructions: 50, registers: 20, scratch: 8)
        #expect(base.growth(over: base).isEmpty)
        #expect(ShaderCost(instructions: 49, registers: 20, scratch: 8).growth(over: base).isEmpty)
        #expect(
            ShaderCost(instructions: 51, registers: 19, scratch: 16).growth(over: base) == [
                "51 instructions in place of 50", "16 bytes of scratch memory in place of 8",
            ])
    }

    @Test("The article's shares are those of a loupe whose centre is on the edge and on the corner")
    func shares() throws {
        for (state, part) in [(ClipState.singleEdge, 0.5), (.corner, 0.25)] {
            let article = DiscShares.planned(.article, state)
            // The centre is a tenth of the page's pixels within, and the feather reaches half a pixel of the canvas beyond.
            try #require(article.map(\.0) == [state])
            #expect(abs(article[0].1 - part) < 0.003)
            let pieces = Dictionary(uniqueKeysWithValues: DiscShares.planned(.pieces, state))
            #expect(pieces[.noEdge] ?? 0 > 0.9 * part)
            #expect(pieces[state] ?? 1 < 0.01)
            #expect(pieces.values.reduce(0, +) <= article[0].1)
        }
        #expect(
            DiscShares.all.map(\.0) == ["middle", "article, edge", "article, corner", "pieces, edge", "pieces, corner"])
    }

    @Test("The folder that is named is taken, and one without any library is none") func shimFolder() {
        let folder = TemporaryFolder()
        #expect(Architecture.shimFolder(named: Path(folder.path), cache: nil) == nil)
        _ = folder.put([0], "loupe/mesa-drm-shim/libnouveau_noop_drm_shim.so")
        let found = Path(folder.file("loupe/mesa-drm-shim"))
        #expect(Architecture.shimFolder(named: nil, cache: Path(folder.path)) == found)
        #expect(Architecture.shimFolder(named: found, cache: nil) == found)
    }
}
