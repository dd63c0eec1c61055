// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Reads one file of a zip archive, such as a .kmz (APPNOTE.TXT of PKWARE). Sizes and checksums are compared with the
/// bytes, and no path of the archive is opened.
struct ZipArchive {
    private struct Entry {
        var name: ArraySlice<UInt8>
        var isEncrypted: Bool
        var method: Int
        var checksum: Int
        var packed: Int
        var size: Int
        /// The offset of the entry's own header.
        var offset: Int

        var path: String { String(decoding: name, as: UTF8.self) }
        var file: Substring { path.lowercased().split(separator: "/").last ?? "" }

        /// Whether its name is that of a format. macOS adds files with a dot first, which only seem to be such.
        var isReadable: Bool {
            let file = self.file
            return ZipArchive.endings.contains { file.hasSuffix($0) } && !file.hasPrefix("._")
        }
    }

    private static let endings = [".kml", ".gpx", ".json", ".geojson", ".ndjson", ".csv", ".tsv"]
    /// The files that are read though others are beside them: the main file of a .kmz, and that of Google's Takeout.
    private static let mainFiles: [Substring] = ["doc.kml", "saved places.json"]
    /// The number of bytes that a byte of deflate stands for at most.
    private static let mostGrowth = 1_032
    private static let cutOff = SourceFormatError.badZip("it is cut off or damaged: fetch it again")

    private let body: [UInt8]
    private var entries: [Entry] = []
    /// The offset of the directory, which follows all files.
    private var directory = 0

    init(_ body: [UInt8]) throws(SourceFormatError) {
        self.body = body
        try readDirectory()
    }

    /// Returns the bytes of the file that can be read, of which there must be one, or one with the name of a main file.
    ///
    /// - Parameter limit: the maximum number of unpacked bytes.
    func readableFile(limit: Int) throws(SourceFormatError) -> [UInt8] {
        let found = entries.filter(\.isReadable)
        if let main = Self.mainFiles.lazy.compactMap({ name in found.first { $0.file == name } }).first {
            return try content(of: main, limit: limit)
        }
        if let only = found.first, found.count == 1 { return try content(of: only, limit: limit) }
        guard !found.isEmpty else {
            throw .badZip("no file in it ends in \(Self.endings.joined(separator: ", "))")
        }
        let names = found.prefix(6).map { $0.path.shortened(to: 60) }.joined(separator: ", ")
        throw .badZip("it holds \(found.count) files that could be meant (\(names)): unpack it, and give one of them")
    }

    /// Returns a little-endian number; nil beyond the end.
    private func number(_ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, offset <= body.count - size else { return nil }
        return body[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func readDirectory() throws(SourceFormatError) {
        // The end record has 22 bytes and a comment of at most 65,535, and is the last.
        let last = body.count - 22
        let ends = stride(from: last, through: max(0, last - 0xffff), by: -1)
        guard let end = ends.first(where: { number($0, 4) == 0x0605_4b50 && number($0 + 20, 2) == last - $0 }),
            let disks = number(end + 4, 4), let count = number(end + 10, 2),
            let size = number(end + 12, 4), let start = number(end + 16, 4)
        else { throw Self.cutOff }
        try refuseZip64(count == 0xffff || size == 0xffff_ffff || start == 0xffff_ffff)
        guard disks == 0, number(end + 8, 2) == count, start + size <= end else { throw Self.cutOff }
        directory = start
        var place = start
        for _ in 0..<count {
            guard number(place, 4) == 0x0201_4b50, let flags = number(place + 8, 2),
                let method = number(place + 10, 2), let checksum = number(place + 16, 4),
                let packed = number(place + 20, 4), let unpacked = number(place + 24, 4),
                let name = number(place + 28, 2), let extra = number(place + 30, 2),
                let comment = number(place + 32, 2), let offset = number(place + 42, 4),
                place + 46 + name + extra + comment <= start + size
            else { throw Self.cutOff }
            try refuseZip64([packed, unpacked, offset].contains(0xffff_ffff))
            entries.append(
                Entry(
                    name: body[place + 46..<place + 46 + name], isEncrypted: flags & 1 != 0, method: method,
                    checksum: checksum, packed: packed, size: unpacked, offset: offset))
            place += 46 + name + extra + comment
        }
    }

    private func refuseZip64(_ isZip64: Bool) throws(SourceFormatError) {
        if isZip64 { throw .badZip("it has the form for more than 4 GiB (zip64): unpack it, and give the file inside") }
    }

    private func content(of entry: Entry, limit: Int) throws(SourceFormatError) -> [UInt8] {
        if entry.isEncrypted { throw .badZip("it is encrypted: unpack it, and give the file inside") }
        guard entry.size <= limit else { throw .unpackedTooLarge(limit: limit) }
        guard number(entry.offset, 4) == 0x0403_4b50, let name = number(entry.offset + 26, 2),
            let extra = number(entry.offset + 28, 2)
        else { throw Self.cutOff }
        let start = entry.offset + 30 + name + extra
        let next = entries.filter { $0.offset > entry.offset }.map(\.offset).min() ?? directory
        // Two readers of one archive must not find two files, so both headers agree, and no files overlap.
        guard start + entry.packed <= min(next, directory), entries.count(where: { $0.offset == entry.offset }) == 1,
            body[entry.offset + 30..<entry.offset + 30 + name] == entry.name
        else { throw .badZip("its files overlap or have two names") }
        let unpacked: [UInt8]?
        switch entry.method {
        case 0 where entry.packed == entry.size: unpacked = Array(body[start..<start + entry.size])
        case 8 where entry.size / Self.mostGrowth <= entry.packed:
            unpacked = Self.inflated(body[start..<start + entry.packed], size: entry.size)
        case 0, 8: unpacked = nil
        default: throw .badZip("it is packed by another method than deflate: unpack it, and give the file inside")
        }
        // Every size here is below 2^32, because the fields of zip have 32 bits.
        guard let bytes = unpacked, crc32(0, bytes, UInt32(bytes.count)) == UInt(entry.checksum) else {
            throw Self.cutOff
        }
        return bytes
    }

    /// Returns the unpacked bytes; nil unless the deflated ones end with their slice and give this size.
    private static func inflated(_ packed: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var stream = z_stream()
        guard waymark_inflate_raw_begin(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var (bytes, rest, status) = ([UInt8](), packed, Z_OK)
        // A file that is larger than its size says is not unpacked to its end.
        while status == Z_OK, bytes.count <= size {
            let step = Gzip.inflate(rest, into: &bytes, &stream)
            (rest, status) = (rest.dropFirst(step.read), step.status)
        }
        return status == Z_STREAM_END && rest.isEmpty && bytes.count == size ? bytes : nil
    }
}
