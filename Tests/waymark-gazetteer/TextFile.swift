// SPDX-License-Identifier: Apache-2.0

import CZlib

/// A file of the public ones, packed by gzip or not.
enum TextFile {
    private static let mostBytes = 2 << 30

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = gzopen(path, "rb") else { throw Complaint(description: "\(path) cannot be read.") }
        defer { gzclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let got = Int(gzread(file, &part, UInt32(part.count)))
            guard got >= 0, bytes.count <= mostBytes else {
                throw Complaint(description: "\(path) is damaged or too large.")
            }
            if got == 0 { return bytes }
            bytes += part[..<got]
        }
    }

    /// The cells of each line, divided at a character.
    static func table(_ path: String, separator: UInt8 = UInt8(ascii: "\t")) throws -> [[String]] {
        try bytes(path).split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: separator, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
