import Glibc

/// The arguments that this program was started with.
package enum ProcessArguments {
    /// The path of this program's own file.
    package static var program: String { Path("/proc/self/exe").real.map { "\($0)" } ?? "/proc/self/exe" }

    /// The arguments after the program's name, each a C string that lasts as long as the process.
    ///
    /// Swift reads them from /proc. Where that is missing, they are taken from where the kernel puts them: their number,
    /// they themselves, and a null lie before the environment. Call it before the environment is changed.
    package static var all: [UnsafeMutablePointer<CChar>] {
        if CommandLine.argc > 0 { return (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] } }
        var place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ - 1
        if place.pointee != nil { return [] }
        var arguments: [UnsafeMutablePointer<CChar>] = []
        while true {
            place -= 1
            // No pointer is as small as the number of arguments.
            guard let argument = place.pointee, UInt(bitPattern: argument) != arguments.count else { break }
            arguments.append(argument)
        }
        return arguments.reversed().dropFirst().map(\.self)
    }
}
