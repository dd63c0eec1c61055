// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks

// A filtered page of the log or of a snapshot looks at very many landmarks and takes few of them: what a filter looks at
// is read where it lies. The numbers are those of the fields in `waymark.proto`.

extension FilterSubject {
    /// Of an encoded `Landmark`.
    ///
    /// - Throws: what makes these bytes no landmark.
    public init(encoded landmark: UnsafeRawBufferPointer) throws(InvalidInput) {
        var id: UUIDv7?
        var (latitude, longitude) = (0.0, 0.0)
        var (kind, user, source) = ("", "", "")
        var fields = WireFields(landmark)
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (1, .bytes(let bytes)): id = UUIDv7(bytes: bytes)
            case (3, .fixed64(let bits)): latitude = Double(bitPattern: bits)
            case (4, .fixed64(let bits)): longitude = Double(bitPattern: bits)
            case (5, .bytes(let bytes)): kind = try Self.text(bytes)
            case (7, .bytes(let bytes)): user = try Self.text(bytes)
            case (8, .bytes(let bytes)):
                var fields = WireFields(bytes)
                while let (field, value) = fields.next() {
                    if field == 1, case .bytes(let name) = value { source = try Self.text(name) }
                }
                guard fields.isWhole else { throw .missing("a source that can be read") }
            default: break
            }
        }
        guard fields.isWhole, let id else { throw .missing("the 16 bytes of the landmark's id") }
        self.init(
            id: id, coordinate: try Coordinate(wireLatitude: latitude, longitude: longitude), kind: kind, user: user,
            source: source)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .missing("a text in UTF-8") }
        return text
    }
}

extension FeedFilter {
    /// What an encoded `Change` is to this filter; nil when it is nothing.
    ///
    /// - Throws: what makes these bytes no change that is known here.
    public func operation(ofEncoded change: UnsafeRawBufferPointer) throws(InvalidInput) -> FeedOperation? {
        var (number, after, before): (UInt64, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) = (0, nil, nil)
        var fields = WireFields(change)
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (3, .number(let value)): number = value
            case (5, .bytes(let bytes)): after = bytes
            case (6, .bytes(let bytes)): before = bytes
            default: break
            }
        }
        guard
            let operation = Change.Operation(
                WireChange.Operation(rawValue: Int(Int32(truncatingIfNeeded: number))) ?? .unspecified)
        else { throw .missing("an operation that is known here") }
        guard fields.isWhole, let after else { throw .missing("a landmark") }
        return self.operation(
            of: operation, before: try before.map { bytes throws(InvalidInput) in try FilterSubject(encoded: bytes) },
            after: try FilterSubject(encoded: after))
    }
}
