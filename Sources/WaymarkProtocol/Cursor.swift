// SPDX-License-Identifier: Apache-2.0

public import Geodesy
public import Landmarks

/// The end of a page, right after which the next page begins. Opaque to clients: see `Protocol.md`, part Pages and
/// cursors.
///
/// A cursor contains the key of the last row and not the number of rows before it. So no rows are repeated or left out
/// if others add or remove rows in the meantime.
public enum Cursor: Hashable, Sendable {
    /// The end of a page in the order of distance: the coordinate of the last landmark, and its id to break ties. The
    /// exact distance is computed again when the next page is requested, which is rare.
    case place(Coordinate, Landmark.ID)
    /// In the order of revisions, newest first: the revision of the last landmark.
    case recent(UInt64)
    /// In the order of names: the case-folded name of the last landmark, and its id to break ties.
    case name(String, Landmark.ID)
    /// In the order of prominence: the score of the last landmark, its distance in metres, and its id.
    case prominence(Double, Double, Landmark.ID)
    /// The end of a page of open landmarks, with the time for which the first page was answered, in Unix milliseconds.
    indirect case at(UInt64, Cursor)

    /// The last time for which opening hours are answered, in Unix milliseconds. It is the beginning of the year 2200,
    /// because no rule of a time zone can be trusted beyond it.
    public static let latestMoment: UInt64 = 7_258_118_400_000

    /// The time for which opening hours are answered (nil if there is none), and the end of the page without that time.
    public var parts: (moment: UInt64?, end: Cursor) {
        if case .at(let moment, let end) = self { (moment, end) } else { (nil, self) }
    }

    /// The encoded cursor.
    public var bytes: [UInt8] {
        switch self {
        case .recent(let rev): Self.bytes(2, rev)
        case .name(let name, let id): Self.bytes(3, id.high, id.low) + name.utf8
        case .place(let place, let id):
            Self.bytes(4, place.latitude.bitPattern, place.longitude.bitPattern, id.high, id.low)
        case .at(let moment, let end): Self.bytes(5, moment) + end.bytes
        case .prominence(let score, let metres, let id):
            Self.bytes(6, score.bitPattern, metres.bitPattern, id.high, id.low)
        }
    }

    /// Decodes a cursor.
    ///
    /// - Throws: `InvalidInput.outOfRange` if the bytes are not a cursor.
    public init(encoded: some Sequence<UInt8>) throws(InvalidInput) { try self.init([UInt8](encoded)) }

    private init(_ bytes: [UInt8]) throws(InvalidInput) {
        let broken = InvalidInput.outOfRange("cursor", "one from an earlier page")
        switch bytes.first {
        case 2:
            guard bytes.count == 9 else { throw broken }
            self = .recent(Self.word(bytes[1..<9]))
        case 3:
            guard bytes.count >= 17, let id = UUIDv7(bytes: bytes[1..<17]),
                let name = String(validating: bytes[17...], as: UTF8.self)
            else { throw broken }
            self = .name(name, id)
        case 4:
            guard bytes.count == 33, let id = UUIDv7(bytes: bytes[17...]) else { throw broken }
            let latitude = Double(bitPattern: Self.word(bytes[1..<9]))
            let longitude = Double(bitPattern: Self.word(bytes[9..<17]))
            guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else { throw broken }
            self = .place(place, id)
        case 5:
            // Reject a time within a time, because what follows the time must be the end of a page.
            guard bytes.count > 9, bytes[9] != 5 else { throw broken }
            let moment = Self.word(bytes[1..<9])
            guard 1...Self.latestMoment ~= moment else { throw broken }
            self = .at(moment, try Cursor([UInt8](bytes[9...])))
        case 6:
            guard bytes.count == 33, let id = UUIDv7(bytes: bytes[17...]) else { throw broken }
            let score = Double(bitPattern: Self.word(bytes[1..<9]))
            let metres = Double(bitPattern: Self.word(bytes[9..<17]))
            guard score.isFinite, metres.isFinite, metres >= 0 else { throw broken }
            self = .prominence(score, metres, id)
        default: throw broken
        }
    }

    private static func bytes(_ form: UInt8, _ words: UInt64...) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(40)
        bytes.append(form)
        for word in words { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
