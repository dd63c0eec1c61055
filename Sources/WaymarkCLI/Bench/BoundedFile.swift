// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a file that a person names. The file may have any size, or be a device without an end.
enum BoundedFile {
    /// Reads at most one byte more than `most`, so that the caller can detect a file that is larger. Nil if the file
    /// cannot be read.
    static func read(_ path: String, upTo most: Int) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return try? file.read(upToCount: most + 1) ?? Data()
    }
}
