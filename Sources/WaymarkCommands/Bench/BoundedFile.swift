// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that somebody names, which may be of any size, or a device without an end.
enum BoundedFile {
    /// At most one byte more than `most`, so that a file that is too large can be told. Nil when it cannot be read.
    static func read(_ path: String, upTo most: Int) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        do {
            return try file.read(upToCount: most + 1) ?? Data()
        } catch {
            return nil
        }
    }
}
