// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Reads a file that a person names. The file may have any size, or be a device without an end.
enum BoundedFile {
    /// Reads at most one byte more than `most`, so that the caller can detect a file that is larger. Nil if the file
    /// cannot be read.
    static func read(_ path: String, upTo most: Int) -> Data? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var data = Data()
        while data.count <= most {
            let part = [UInt8](unsafeUninitializedCapacity: min(65_536, most + 1 - data.count)) { bytes, count in
                count = fread(bytes.baseAddress, 1, bytes.count, file)
            }
            if part.isEmpty { break }
            data += part
        }
        return ferror(file) == 0 ? data : nil
    }

    /// Reads a file of at most `most` bytes.
    static func whole(_ path: String, upTo most: Int) throws(BadValue) -> Data {
        guard let data = read(path, upTo: most) else { throw BadValue("\(path) cannot be read: check the path.") }
        guard data.count <= most else { throw BadValue("\(path) is larger than \(Figures.bytes(UInt64(most))).") }
        return data
    }
}
