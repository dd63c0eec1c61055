// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks

// A filtered page of the log or of a snapshot tests many landmarks and returns few. So the filter reads the fields of
// encoded landmarks, without decoding whole landmarks.

extension FilterSubject {
    /// Reads the fields of an encoded `Landmark`.
    ///
    /// - Throws: the reason why the bytes are not a landmark.
    public init(encoded landmark: UnsafeRawBufferPointer) throws(InvalidInput) {
        guard let view = LandmarkView(landmark) else { throw .missing("a readable landmark") }
        try self.init(view)
    }

    /// - Throws: the reason why the bytes are not a landmark.
    public init(_ view: LandmarkView) throws(InvalidInput) {
        guard let source = view.sourceName else { throw .missing("a source that can be read") }
        guard let id = view.id else { throw .missing("the 16 bytes of the landmark's id") }
        self.init(
            id: id, coordinate: try Coordinate(wireLatitude: view.lat, longitude: view.lng),
            kind: try WireText.checked(view.kind), user: try WireText.checked(view.user),
            source: try WireText.checked(source))
    }
}

extension FeedFilter {
    /// Returns the operation of an encoded `Change` as a subscriber sees it; nil if it does not receive the change.
    ///
    /// - Throws: the reason why this version cannot read the change.
    public func operation(ofEncoded change: UnsafeRawBufferPointer) throws(InvalidInput) -> FeedOperation? {
        guard let view = ChangeView(change), let after = view.landmark else { throw .missing("a landmark") }
        guard let operation = view.operation else { throw .missing("an operation that is known here") }
        return self.operation(
            of: operation,
            before: try view.before.map { bytes throws(InvalidInput) in try FilterSubject(encoded: bytes) },
            after: try FilterSubject(encoded: after))
    }
}
