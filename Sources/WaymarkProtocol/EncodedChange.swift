// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf

/// A change in encoded form. Storage encodes it at the commit. The same bytes are the log's row and the payload of all
/// feeds, and a receiver passes them on to its replica, its own subscribers or its caller.
///
/// No process encodes a change again, and each process reads it once: the fields that filters compare are kept beside
/// the bytes. Other values are decoded only when needed, see `Change` of `Landmarks`.
public struct EncodedChange: Sendable {
    /// The fields of a change that filters compare. A class, so that passing a change on counts one reference, not one
    /// for each text.
    public final class Subjects: Sendable {
        /// The landmark after the change. If the change removed the landmark, its last state.
        public let after: FilterSubject
        /// The landmark before the change; nil if the change added the landmark.
        public let before: FilterSubject?

        public init(after: FilterSubject, before: FilterSubject?) { (self.after, self.before) = (after, before) }
    }

    /// A landmark in two forms: the fields that filters compare, and the encoded bytes.
    public typealias Record = (subject: FilterSubject, record: [UInt8])

    public let rev: UInt64
    /// The operation of the change; nil if only a later version of the protocol knows it.
    public let operation: Change.Operation?
    /// The fields that filters compare, or the reason why this version cannot read the landmarks.
    public let subjects: Result<Subjects, InvalidInput>
    /// The encoded `Change`.
    public let bytes: [UInt8]
    /// The range in `bytes` of the landmark after the change.
    let landmark: Range<Int>
}

extension EncodedChange {
    /// Encodes a change whose landmarks are already encoded.
    ///
    /// - Parameters:
    ///   - at: the time of the change in Unix milliseconds.
    ///   - before: the landmark before the change; nil if the change adds the landmark.
    public init(
        rev: UInt64, at: UInt64, operation: Change.Operation, user: String, after: Record, before: Record?
    ) {
        var wire = WireWriter(expecting: 32 + user.utf8.count + after.record.count + (before?.record.count ?? 0))
        wire.number(ChangeField.rev, rev)
        wire.number(ChangeField.at, at)
        wire.number(ChangeField.operation, UInt64(WireChange.Operation(operation).rawValue))
        wire.text(ChangeField.user, user)
        wire.message(ChangeField.landmark, after.record)
        let end = wire.bytes.count
        if let before { wire.message(ChangeField.before, before.record) }
        self.init(
            rev: rev, operation: operation,
            subjects: .success(Subjects(after: after.subject, before: before?.subject)), bytes: wire.bytes,
            landmark: (end - after.record.count)..<end)
    }

    /// Reads an encoded `Change`. If the bytes are not exactly as this release encodes a change, the generated code
    /// decodes them and encodes them again.
    ///
    /// Nil if the bytes are not a `Change`, or if its revision is out of range.
    public init?(_ bytes: [UInt8]) {
        let read =
            Self.reading(bytes, onlyPlain: true)
            ?? (try? WireChange(serializedBytes: bytes)).flatMap { Self.reading($0.encoded, onlyPlain: false) }
        guard let read else { return nil }
        self = read
    }

    private static func reading(_ bytes: [UInt8], onlyPlain: Bool) -> EncodedChange? {
        bytes.withUnsafeBytes { encoded -> EncodedChange? in
            guard let view = ChangeView(encoded), 1...WaymarkProtocol.latestRevision ~= view.rev else { return nil }
            let (after, before) = (view.landmark.map(FilterSubject.read), view.before.map(FilterSubject.read))
            if onlyPlain, !view.isPlain || after?.isPlain == false || before?.isPlain == false { return nil }
            var place = 0..<0
            if let landmark = view.landmark, let start = landmark.baseAddress, let first = encoded.baseAddress {
                place = (start - first)..<(start - first + landmark.count)
            }
            let subjects = Result { () throws(InvalidInput) -> Subjects in
                guard let after else { throw .missing("a landmark") }
                return Subjects(after: try after.subject.get(), before: try before?.subject.get())
            }
            return EncodedChange(
                rev: view.rev, operation: view.operation, subjects: subjects, bytes: bytes, landmark: place)
        }
    }

    /// Returns the operation and the landmarks of the change.
    ///
    /// - Throws: the reason why this version cannot read the change.
    public func known() throws(InvalidInput) -> (operation: Change.Operation, subjects: Subjects) {
        guard let operation else { throw .missing("an operation that is known here") }
        return (operation, try subjects.get())
    }

    /// Calls `body` with the encoded landmark after the change. The bytes are valid until `body` returns.
    public func withLandmark<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[landmark]))
        }
    }
}

extension FilterSubject {
    /// Reads an encoded `Landmark`, and reports whether it is exactly as this release encodes a landmark.
    fileprivate static func read(
        _ landmark: UnsafeRawBufferPointer
    ) -> (isPlain: Bool, subject: Result<FilterSubject, InvalidInput>) {
        guard let view = LandmarkView(landmark) else { return (false, .failure(.missing("a readable landmark"))) }
        return (view.isPlain, Result { () throws(InvalidInput) -> FilterSubject in try FilterSubject(view) })
    }
}

extension FeedFilter {
    /// Returns the operation as a subscriber with this filter sees it; nil if it does not receive the change.
    ///
    /// - Throws: the reason why this version cannot read the change.
    public func operation(of change: EncodedChange) throws(InvalidInput) -> FeedOperation? {
        if isEmpty, let operation = change.operation { return FeedOperation(operation) }
        let (operation, subjects) = try change.known()
        return self.operation(of: operation, before: subjects.before, after: subjects.after)
    }
}
