// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import WaymarkProtocol

/// The rows of an answer. They stay encoded as they were received, and a row is decoded each time it is read, so keep
/// a row that is needed more than once.
public struct Hits: RandomAccessCollection, Sendable, Equatable {
    private struct Row {
        /// The ranges of an encoded `Landmark` and an encoded `Opening` in `bytes`.
        var landmark = 0..<0
        var opening: Range<Int>?
        var distance: Double?
        var bearing: Double?
    }

    private let bytes: [UInt8]
    private var rows: [Row] = []

    /// - Parameter bytes: the answer, whose rows are to be added.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A row of an answer mostly has about a hundred bytes.
        rows.reserveCapacity(bytes.count / 100)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { rows.count }

    public subscript(position: Int) -> Hit {
        let row = rows[position]
        return bytes.withUnsafeBytes { bytes in
            do throws(InvalidInput) {
                return Hit(
                    landmark: try Landmark.reading(UnsafeRawBufferPointer(rebasing: bytes[row.landmark])),
                    distance: row.distance, bearing: row.bearing, opening: Self.opening(row, bytes))
            } catch {
                // `add` has checked that these bytes can be decoded, and they do not change.
                preconditionFailure("a checked row cannot be decoded")
            }
        }
    }

    /// Calls `body` with a row, without decoding its landmark.
    // Not generic, because another module's generic function looks up its types for each row.
    package func withView(_ position: Int, _ body: (HitView) -> Void) {
        let row = rows[position]
        bytes.withUnsafeBytes { bytes in
            let landmark = LandmarkView(UnsafeRawBufferPointer(rebasing: bytes[row.landmark]))
            guard let landmark else { preconditionFailure("a checked row cannot be read") }
            let opening = Self.opening(row, bytes)
            body(HitView(landmark: landmark, distance: row.distance, bearing: row.bearing, opening: opening))
        }
    }

    private static func opening(_ row: Row, _ bytes: UnsafeRawBufferPointer) -> Opening? {
        row.opening.flatMap { try? Opening(encoded: UnsafeRawBufferPointer(rebasing: bytes[$0])) }
    }

    /// Adds a row after checking that it can be decoded.
    ///
    /// - Parameters:
    ///   - hit: an encoded `Hit`, which is a part of `whole`.
    ///   - whole: the bytes of the answer.
    mutating func add(_ hit: UnsafeRawBufferPointer, in whole: UnsafeRawBufferPointer) throws(ClientError) {
        var (row, landmark) = (Row(), UnsafeRawBufferPointer(start: nil, count: 0))
        var opening: UnsafeRawBufferPointer?
        var fields = WireFields(hit)
        while let (field, value) = fields.next() {
            switch (HitField(rawValue: field), value) {
            case (.landmark, .bytes(let bytes)): landmark = bytes
            case (.distanceM, .fixed64(let bits)): row.distance = Double(bitPattern: bits)
            case (.bearingDeg, .fixed64(let bits)): row.bearing = Double(bitPattern: bits)
            case (.opening, .bytes(let bytes)): opening = bytes
            default: break
            }
        }
        guard fields.isWhole else { throw .unreadableAnswer("a row") }
        try ClientError.reading { () throws(InvalidInput) in try Landmark.check(encoded: landmark) }
        row.landmark = Self.place(of: landmark, in: whole)
        if let opening {
            _ = try Opening(encoded: opening)
            row.opening = Self.place(of: opening, in: whole)
        }
        rows.append(row)
    }

    private static func place(of part: UnsafeRawBufferPointer, in whole: UnsafeRawBufferPointer) -> Range<Int> {
        guard let first = part.baseAddress, let start = whole.baseAddress else { return 0..<0 }
        return first - start..<first - start + part.count
    }

    public static func == (left: Hits, right: Hits) -> Bool { left.elementsEqual(right) }
}

/// A row of an answer whose landmark is not decoded. Valid as long as the bytes.
package struct HitView {
    package let landmark: LandmarkView
    package let distance: Double?
    package let bearing: Double?
    package let opening: Opening?
}

extension Hit {
    /// Calls `body` with a view of this row.
    package func withView<Result>(_ body: (HitView) -> Result) -> Result {
        landmark.encoded.withUnsafeBytes { bytes in
            // This release can read every landmark that it has encoded.
            guard let view = LandmarkView(bytes) else { preconditionFailure("an own landmark cannot be read") }
            return body(HitView(landmark: view, distance: distance, bearing: bearing, opening: opening))
        }
    }
}
