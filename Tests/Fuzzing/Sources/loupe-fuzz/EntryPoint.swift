/// libFuzzer, whose `main` the program has, calls this with one input after the other. A trap, a hang, misused memory or a
/// broken promise ends it.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    FuzzTarget.chosen.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
