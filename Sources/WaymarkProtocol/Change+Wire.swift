// SPDX-License-Identifier: Apache-2.0

public import Landmarks

extension WireChange.Operation {
    public init(_ operation: Change.Operation) { self.init(FeedOperation(operation)) }
}

extension Change.Operation {
    /// Nil for an operation that only a later version of the protocol knows.
    public init?(_ wire: WireChange.Operation) {
        guard let operation = Self.allCases.first(where: { WireChange.Operation($0) == wire }) else { return nil }
        self = operation
    }
}

extension Change {
    /// Decodes an encoded `Change`.
    ///
    /// - Throws: the reason why this version cannot read the change.
    public init(encoded bytes: [UInt8]) throws(InvalidInput) {
        self = try bytes.withUnsafeBufferPointer { (bytes) throws(InvalidInput) -> Change in
            guard let view = ChangeView(UnsafeRawBufferPointer(bytes)) else { throw .missing("a readable change") }
            return try Change(view)
        }
    }

    private init(_ view: ChangeView) throws(InvalidInput) {
        guard let operation = view.operation else { throw .missing("an operation that is known here") }
        guard let landmark = view.landmark else { throw .missing("a landmark") }
        self.init(
            rev: view.rev, at: view.at, operation: operation, user: try WireText.checked(view.user),
            landmark: try Landmark.reading(landmark),
            before: try view.before.map { (bytes) throws(InvalidInput) in try Landmark.reading(bytes) })
    }
}

extension Position {
    /// - Throws: ``InvalidInput/missing(_:)`` if the epoch is not 16 bytes.
    public init(_ wire: WirePosition) throws(InvalidInput) {
        self.init(
            epoch: try UUIDv7(wire: wire.epoch, "the epoch"), rev: wire.rev,
            run: wire.run.isEmpty ? nil : try UUIDv7(wire: wire.run, "the run"))
    }

    public var wire: WirePosition {
        .with {
            $0.epoch = epoch.wire
            $0.rev = rev
            if let run { $0.run = run.wire }
        }
    }

    /// Nil if the epoch is not 16 bytes.
    public init?(_ wire: WireHookPosition) {
        guard let epoch = UUIDv7(bytes: wire.epoch) else { return nil }
        self.init(epoch: epoch, rev: wire.rev, run: UUIDv7(bytes: wire.run))
    }
}

extension WireHookPosition {
    public init(_ position: Position) {
        self.init()
        (epoch, rev) = (position.epoch.wire, position.rev)
        if let known = position.run { run = known.wire }
    }
}
