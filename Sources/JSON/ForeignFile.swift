// SPDX-License-Identifier: Apache-2.0

/// A kind of file that is recognised by its first bytes but cannot be read: it has to be unpacked or exported first.
public enum ForeignFile: String, Hashable, Sendable {
    case zip = "a zip archive, as .kmz and shapefiles come"
    case spreadsheet = "a spreadsheet"
    case office = "an old Excel or Word file"
    case sevenZip = "a 7-Zip archive"
    case rar = "a RAR archive"
    case tar = "a tar archive"
    case bzip2 = "packed with bzip2"
    case xz = "packed with xz"
    case zstandard = "packed with Zstandard"
    case database = "an SQLite database, as GeoPackages are"
    case shapefile = "a shapefile"
    case pdf = "a PDF document"

    /// The first bytes of each kind of file.
    private static let marks: [(bytes: [UInt8], file: ForeignFile)] = [
        (Array("PK".utf8) + [3, 4], .zip), (Array("PK".utf8) + [5, 6], .zip), (Array("PK".utf8) + [7, 8], .zip),
        ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], .office),
        (Array("7z".utf8) + [0xbc, 0xaf, 0x27, 0x1c], .sevenZip),
        (Array("Rar!".utf8) + [0x1a, 7], .rar), ([0xfd] + Array("7zXZ".utf8) + [0], .xz),
        ([0x28, 0xb5, 0x2f, 0xfd], .zstandard), (Array("SQLite format 3".utf8) + [0], .database),
        ([0, 0, 0x27, 0x0a], .shapefile), (Array("%PDF-".utf8), .pdf),
    ]

    /// Recognises the kind of a file. Nil for a text, and for a file of an unknown kind.
    init?(_ body: [UInt8]) {
        if let mark = Self.marks.first(where: { body.starts(with: $0.bytes) }) {
            self = mark.file == .zip && Self.isSpreadsheet(body) ? .spreadsheet : mark.file
        } else if body.starts(with: "BZh".utf8), body.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) {
            self = .bzip2
        } else if body.dropFirst(257).starts(with: "ustar".utf8) {
            self = .tar
        } else {
            return nil
        }
    }

    /// Returns whether a zip archive is a spreadsheet. Excel's files begin with the name of their list of contents, and
    /// OpenDocument's with their media type.
    private static func isSpreadsheet(_ body: [UInt8]) -> Bool {
        let start = String(decoding: body.prefix(200), as: UTF8.self)
        return ["[Content_Types].xml", "xl/", "_rels/.rels", "opendocument.spreadsheet"].contains {
            start.firstRange(of: $0) != nil
        }
    }

    var advice: String {
        switch self {
        case .zip, .sevenZip, .rar, .tar, .bzip2, .xz, .zstandard: "unpack it, and give the file inside"
        case .spreadsheet, .office: "save the sheet as CSV"
        case .database, .shapefile: "export it as GeoJSON"
        case .pdf: "ask the source for a table or JSON"
        }
    }
}
