// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// The change log.
package protocol ChangeTable {
    func head() throws -> Head

    /// - Parameters:
    /// - head: the revision of this change, and the number of landmarks after this change.
    /// - previous: the previous revision of the same landmark; 0 if it has none.
    ///   - payload: an encoded `Change`.
    func append(
        _ head: Head, previous: UInt64, at: UInt64, operation: Change.Operation, version: UInt64, user: String,
        payload: [UInt8]
    ) throws

    /// Records that the change `rev` removed a landmark, so that ``removal(of:)`` finds the change.
    func noteRemoval(of id: Landmark.ID, rev: UInt64) throws
    /// Returns the payload of the last change that removed the landmark; nil if the log has none.
    func removal(of id: Landmark.ID) throws -> [UInt8]?
}
