// SPDX-License-Identifier: Apache-2.0

import Landmarks
@_exported public import StorageRules

/// The interface between the storage service and its database, with one writer. The service does not know the database.
///
/// Not Sendable: the owner calls an engine from one place, the service from its loop. ``reader``, ``index`` and
/// ``copier`` may be used anywhere.
package protocol StorageEngine: AnyObject {
    /// The epoch of this history, its newest revision, and the present run of storage.
    var position: Position { get }
    var reader: any StorageReader { get }
    /// The text search.
    var index: SearchIndex { get }
    var copier: any DatabaseCopying { get }
    var upkeep: EngineUpkeep { get }
    /// The engine's state for other threads: whether it can write, and how to end its waits.
    var control: EngineControl { get }

    /// Executes the requests in their order, and makes all of them durable with one flush.
    ///
    /// A request that cannot be done is refused in its reply and does not affect the others. A request that was
    /// answered before gets the same bytes again and changes nothing.
    ///
    /// - Throws: if the batch could not be made durable. Nothing of it has been done then, and the same batch may be
    ///   tried again. While the condition is ``EngineCondition/full(room:reserve:)``, batches are refused at once.
    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch

    /// Checks whether writing has become possible again. Call it about once a second; it costs little.
    func recover()

    /// Ends all work. Every later call fails with ``EngineError/closed``.
    func close()
}
