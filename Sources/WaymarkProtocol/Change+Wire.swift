// SPDX-License-Identifier: Apache-2.0

public import Landmarks
import SwiftProtobuf

extension WireChange.Operation {
    public init(_ operation: Change.Operation) {
        self =
            switch operation {
            case .added: .added
            case .changed: .changed
            case .removed: .removed
            case .noted: .noted
            }
    }
}

extension Change.Operation {
    /// Nil for an operation of a later version of the protocol.
    public init?(_ wire: WireChange.Operation) {
        switch wire {
        case .added: self = .added
        case .changed: self = .changed
        case .removed: self = .removed
        case .noted: self = .noted
        case .entered, .left, .unspecified, .UNRECOGNIZED: return nil
        }
    }
}

extension WireChange {
    public init(_ change: Change) {
        self.init()
        rev = change.rev
        at = change.at
        operation = Operation(change.operation)
        user = change.user
        landmark = WireLandmark(change.landmark)
        if let value = change.before { before = WireLandmark(value) }
    }
}

extension Change {
    /// - Throws: the reason why the message is not a change.
    public init(_ wire: WireChange) throws(InvalidInput) {
        guard let operation = Operation(wire.operation) else { throw .missing("an operation that is known here") }
        self.init(
            rev: wire.rev, at: wire.at, operation: operation, user: wire.user, landmark: try Landmark(wire.landmark),
            before: wire.hasBefore ? try Landmark(wire.before) : nil)
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
}
