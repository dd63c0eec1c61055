// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf

/// A received change: either a message of the feed, or a change of a page, which the generated code has decoded.
///
/// The bytes of a message are checked but not decoded: a replica keeps the landmark's bytes as storage encoded them. The
/// rest is decoded on demand.
public struct ReceivedChange: Sendable {
    private enum Form: Sendable {
        /// The range of the landmark after the change in `bytes`.
        case encoded(_ bytes: [UInt8], landmark: Range<Int>)
        case decoded(WireChange)
    }

    public let rev: UInt64
    /// Nil for an operation of a later version of the protocol.
    public let operation: Change.Operation?
    private let form: Form
    private static let revisions = 1...WaymarkProtocol.latestRevision

    private init(rev: UInt64, operation: WireChange.Operation, _ form: Form) {
        (self.rev, self.operation, self.form) = (rev, Change.Operation(operation), form)
    }

    public init(_ wire: WireChange) { self.init(rev: wire.rev, operation: wire.operation, .decoded(wire)) }

    /// Nil if the bytes are not a `Change`, or if its revision can be none.
    public init?(_ bytes: [UInt8]) {
        if let plain = bytes.withUnsafeBytes({ PlainChange($0) }) {
            guard Self.revisions ~= plain.rev else { return nil }
            self.init(
                rev: plain.rev, operation: plain.operation, .encoded(bytes, landmark: plain.landmark))
            return
        }
        guard let wire = try? WireChange(serializedBytes: bytes), Self.revisions ~= wire.rev else { return nil }
        self.init(wire)
    }

    /// Whether it is still encoded.
    var isEncoded: Bool {
        if case .encoded = form { true } else { false }
    }

    /// The encoded change: as it arrived, or as the generated code encodes it.
    public var bytes: [UInt8] {
        switch form {
        case .encoded(let bytes, _): bytes
        // Encoding fails only for required fields that are not set, and proto3 has none.
        case .decoded(let wire): (try? wire.serializedBytes()) ?? []
        }
    }

    /// The change as decoded by the generated code.
    public var wire: WireChange {
        switch form {
        // Decoding cannot fail: the types of the fields and the encoding of the texts were checked before.
        case .encoded(let bytes, _): (try? WireChange(serializedBytes: bytes)) ?? WireChange()
        case .decoded(let wire): wire
        }
    }

    fileprivate func operation(toFilter filter: FeedFilter) throws(InvalidInput) -> FeedOperation? {
        switch form {
        case .encoded(let bytes, _):
            try bytes.withUnsafeBufferPointer { (bytes) throws(InvalidInput) in
                try filter.operation(ofEncoded: UnsafeRawBufferPointer(bytes))
            }
        case .decoded(let wire): try filter.operation(of: wire)
        }
    }

    /// Calls `body` with the encoded landmark after the change. The bytes are valid until `body` returns.
    public func withLandmark<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch form {
        case .encoded(let bytes, let landmark):
            return try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
                try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[landmark]))
            }
        case .decoded(let wire):
            // Encoding fails only for required fields that are not set, and proto3 has none.
            let bytes: [UInt8] = (try? wire.landmark.serializedBytes()) ?? []
            return try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
                try body(UnsafeRawBufferPointer(bytes))
            }
        }
    }
}

/// The fields of an encoded `Change` that every receiver needs. Only for the encoding that this release writes.
private struct PlainChange {
    let rev: UInt64
    let operation: WireChange.Operation
    var landmark = 0..<0

    /// Nil for any other encoding: the generated code has to decode it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let view = ChangeView(bytes), view.isPlain else { return nil }
        (rev, operation) = (view.rev, view.wireOperation)
        if let start = view.landmark?.baseAddress, let first = bytes.baseAddress, let count = view.landmark?.count {
            landmark = (start - first)..<(start - first + count)
        }
    }
}

extension Change {
    /// - Throws: the reason why this is not a change of this version.
    public init(_ received: ReceivedChange) throws(InvalidInput) { try self.init(received.wire) }
}

extension FeedFilter {
    /// The operation of a change that a subscriber sees; nil if the subscriber does not get it.
    ///
    /// - Throws: the reason why this is not a change of this version.
    public func operation(of received: ReceivedChange) throws(InvalidInput) -> FeedOperation? {
        guard let operation = received.operation else { throw .missing("an operation that is known here") }
        return isEmpty ? FeedOperation(operation) : try received.operation(toFilter: self)
    }
}
