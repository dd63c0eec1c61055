// SPDX-License-Identifier: Apache-2.0

public import Landmarks

extension Change {
    /// Encodes a `Change` around landmarks that are encoded already.
    ///
    /// - Parameters:
    ///   - at: Unix milliseconds.
    ///   - before: nil if the change added the landmark.
    public static func encoded(
        rev: UInt64, at: UInt64, operation: Operation, user: String, landmark: [UInt8], before: [UInt8]?
    ) -> [UInt8] {
        var wire = WireWriter(expecting: 32 + user.utf8.count + landmark.count + (before?.count ?? 0))
        wire.number(ChangeField.rev, rev)
        wire.number(ChangeField.at, at)
        wire.number(ChangeField.operation, UInt64(WireChange.Operation(operation).rawValue))
        wire.text(ChangeField.user, user)
        wire.message(ChangeField.landmark, landmark)
        if let before { wire.message(ChangeField.before, before) }
        return wire.bytes
    }
}
