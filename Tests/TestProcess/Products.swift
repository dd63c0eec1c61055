// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The built programs.
public enum Products {
    /// The programs' folder, which is that of this program.
    public static let folder: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? program
        let folders = [program, bundle].map { ($0 as NSString).deletingLastPathComponent }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/waymark-storage") } ?? folders[0]
    }()
}
