// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf

/// A change as it came: in a message of the feed, or read by the generated code from a page of the log.
///
/// In a message it is left as it is, and only looked over: a replica keeps the landmark's bytes as storage encoded them,
/// and whoever wants the rest has it decoded.
public struct ReceivedChange: Sendable {
    private enum Form: Sendable {
        /// Where in `bytes` the landmark after the change stands.
        case encoded(_ bytes: [UInt8], landmark: Range<Int>)
        case decoded(WireChange)
    }

    public let rev: UInt64
    /// Nil for one that a later version of the protocol may have.
    public let operation: Change.Operation?
    private let form: Form

    private init(rev: UInt64, operation: WireChange.Operation, _ form: Form) {
        (self.rev, self.operation, self.form) = (rev, Change.Operation(operation), form)
    }

    public init(_ wire: WireChange) { self.init(rev: wire.rev, operation: wire.operation, .decoded(wire)) }

    /// Nil for bytes that are no `Change`.
    public init?(_ bytes: [UInt8]) {
        if let plain = bytes.withUnsafeBytes({ PlainChange($0) }) {
            self.init(
                rev: plain.rev, operation: plain.operation, .encoded(bytes, landmark: plain.landmark))
            return
        }
        guard let wire = try? WireChange(serializedBytes: bytes) else { return nil }
        self.init(wire)
    }

    /// Whether it is still as it came.
    var isEncoded: Bool {
        if case .encoded = form { true } else { false }
    }

    /// The generated code's reading.
    public var wire: WireChange {
        switch form {
        // It was looked over before: every field is of its type and every text is one.
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

    /// Lends the landmark after the change, encoded; good until `body` returns.
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

/// What everybody wants to know of an encoded `Change` as this release encodes one.
private struct PlainChange {
    let rev: UInt64
    let operation: WireChange.Operation
    var landmark = 0..<0

    /// Nil for what the generated code has to read.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let view = ChangeView(bytes), view.isPlain else { return nil }
        (rev, operation) = (view.rev, view.wireOperation)
        if let start = view.landmark?.baseAddress, let first = bytes.baseAddress, let count = view.landmark?.count {
            landmark = (start - first)..<(start - first + count)
        }
    }
}

extension Change {
    /// - Throws: what makes it no change that is known here.
    public init(_ received: ReceivedChange) throws(InvalidInput) { try self.init(received.wire) }
}

extension FeedFilter {
    /// What a change is to this filter; nil when it is nothing.
    ///
    /// - Throws: what makes it no change that is known here.
    public func operation(of received: ReceivedChange) throws(InvalidInput) -> FeedOperation? {
        guard let operation = received.operation else { throw .missing("an operation that is known here") }
        return isEmpty ? FeedOperation(operation) : try received.operation(toFilter: self)
    }
}
