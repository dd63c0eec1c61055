// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Landmarks

/// Where a page ended, so that the next one begins right after it. Opaque to clients: see `Protocol.md`, part Pages and
/// cursors.
///
/// It holds the key of the last row, not its number, so that rows which others add or remove meanwhile neither
/// repeat nor hide any other.
public enum Cursor: Hashable, Sendable {
    /// The geodesic distance in metres, and the id that breaks ties.
    case distance(Double, Landmark.ID)
    /// The revision, newest first.
    case recent(UInt64)
    /// The folded name, and the id that breaks ties.
    case name(String, Landmark.ID)

    public var encoded: Data {
        switch self {
        case .distance(let metres, let id): Data([1]) + Self.data(metres.bitPattern) + id.wire
        case .recent(let rev): Data([2]) + Self.data(rev)
        case .name(let name, let id): Data([3]) + id.wire + Data(name.utf8)
        }
    }

    /// - Throws: ``InvalidInput/outOfRange(_:_:)`` for bytes that no page ended with.
    public init(encoded: Data) throws(InvalidInput) {
        let bytes = [UInt8](encoded)
        let broken = InvalidInput.outOfRange("cursor", "one that a page before gave")
        switch bytes.first {
        case 1:
            guard bytes.count == 25, let id = UUIDv7(bytes: bytes[9...]) else { throw broken }
            let metres = Double(bitPattern: Self.word(bytes[1..<9]))
            guard metres.isFinite, metres >= 0 else { throw broken }
            self = .distance(metres, id)
        case 2:
            guard bytes.count == 9 else { throw broken }
            self = .recent(Self.word(bytes[1..<9]))
        case 3:
            guard bytes.count >= 17, let id = UUIDv7(bytes: bytes[1..<17]),
                let name = String(validating: bytes[17...], as: UTF8.self)
            else { throw broken }
            self = .name(name, id)
        default: throw broken
        }
    }

    private static func data(_ word: UInt64) -> Data {
        withUnsafeBytes(of: word.bigEndian) { Data($0) }
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
