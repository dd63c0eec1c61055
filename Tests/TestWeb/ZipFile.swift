// SPDX-License-Identifier: Apache-2.0

/// A file of a zip archive for tests, whose fields may lie.
public struct ZipFile: Sendable {
    public var name: String
    /// The name in the file's own header, if it differs.
    public var ownName: String?
    public var data: [UInt8]
    public var method = 0
    public var flags = 0
    public var checksum: UInt32
    public var size: Int
    /// The size of the data by the directory, if it lies.
    public var packed: Int?
    /// The place of the file by the directory, if it lies.
    public var offset: Int?

    /// A file that is stored as it is.
    public init(_ name: String, _ bytes: [UInt8]) {
        (self.name, data, size) = (name, bytes, bytes.count)
        checksum = ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
    }

    /// A file that is deflated.
    ///
    /// - Parameter gzip: one member without optional fields.
    public init(_ name: String, gzip: [UInt8]) {
        func number(_ place: Int) -> UInt32 { gzip[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        (self.name, method) = (name, 8)
        data = Array(gzip.dropFirst(10).dropLast(8))
        (checksum, size) = (number(gzip.count - 8), Int(number(gzip.count - 4)))
    }

    public static func archive(_ files: [ZipFile], comment: String = "") -> [UInt8] {
        var (archive, directory) = ([UInt8](), [UInt8]())
        for file in files {
            let (name, ownName) = (Array(file.name.utf8), Array((file.ownName ?? file.name).utf8))
            let head = bytes([
                (file.flags, 2), (file.method, 2), (0, 4), (Int(file.checksum), 4),
                (file.packed ?? file.data.count, 4), (file.size, 4),
            ])
            directory += bytes([(0x0201_4b50, 4), (20, 2), (20, 2)]) + head
            directory += bytes([(name.count, 2), (0, 4), (0, 4), (0, 4), (file.offset ?? archive.count, 4)]) + name
            archive += bytes([(0x0403_4b50, 4), (20, 2)]) + head + bytes([(ownName.count, 2), (0, 2)])
            archive += ownName + file.data
        }
        let end = bytes([
            (0x0605_4b50, 4), (0, 4), (files.count, 2), (files.count, 2), (directory.count, 4), (archive.count, 4),
            (comment.utf8.count, 2),
        ])
        return archive + directory + end + Array(comment.utf8)
    }

    private static func bytes(_ fields: [(number: Int, size: Int)]) -> [UInt8] {
        fields.flatMap { field in (0..<field.size).map { UInt8(truncatingIfNeeded: field.number >> (8 * $0)) } }
    }
}
