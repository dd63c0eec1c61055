// SPDX-License-Identifier: Apache-2.0

/// The arguments of the process. Swift replaces bytes that are not UTF-8 by U+FFFD, so that a name or path would differ
/// from what was typed.
public enum ProgramArguments {
    /// Returns a sentence about the first argument that is not UTF-8; nil if all arguments are.
    ///
    /// - Parameter arguments: `count` C strings, of which the first is the program's name.
    public static func problem(
        _ count: Int32 = CommandLine.argc,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv
    ) -> String? {
        for index in 1..<max(1, Int(count)) {
            guard let argument = arguments[index], String(validatingCString: argument) == nil else { continue }
            let shown = String(cString: argument).prefix(60).map {
                $0.isLetter || $0.isNumber || "-_=./ ,".contains($0) ? $0 : "?"
            }
            return "Argument \(index) (\(String(shown))) is not UTF-8: type it on a terminal whose encoding is UTF-8."
        }
        return nil
    }
}
