// SPDX-License-Identifier: Apache-2.0

public import Landmarks

extension Change {
    /// An encoded `Change` of landmarks that are encoded already.
    ///
    /// - Parameters:
    ///   - at: Unix milliseconds.
    ///   - before: nil when it was added.
    public static func encoded(
        rev: UInt64, at: UInt64, operation: Operation, user: String, landmark: [UInt8], before: [UInt8]?
    ) -> [UInt8] {
        var wire = WireWriter(expecting: 32 + user.utf8.count + landmark.count + (before?.count ?? 0))
        wire.number(1, rev)
        wire.number(2, at)
        wire.number(3, UInt64(WireChange.Operation(operation).rawValue))
        wire.text(4, user)
        wire.message(5, landmark)
        if let before { wire.message(6, before) }
        return wire.bytes
    }
}
