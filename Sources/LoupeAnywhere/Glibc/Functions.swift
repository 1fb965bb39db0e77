// The functions of C's library that the comparison uses, as the module `Glibc`: those of numbers are LoupeBase's.
import LoupeBase

public func exp(_ x: Double) -> Double { LoupeBase.exp(x) }
public func pow(_ x: Double, _ y: Double) -> Double { LoupeBase.pow(x, y) }
public func cbrt(_ x: Double) -> Double { LoupeBase.cbrt(x) }
public func log10(_ x: Double) -> Double { LoupeBase.log(x) / LoupeBase.log(10) }

@_extern(c, "memcmp")
public func memcmp(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Int32
