// SPDX-License-Identifier: Apache-2.0

import Landmarks
@_exported public import StorageRules

/// The interface between the storage service and its database. The service does not know which database it uses.
///
/// Not Sendable, because an engine may be called only from one thread, which is the event loop of the service or a
/// thread of the engine's own. ``reader``, ``index`` and ``copier`` may be used on any thread.
package protocol StorageEngine: AnyObject {
    /// The epoch of this history, its newest revision, and the present run of storage.
    var position: Position { get }
    var reader: any StorageReader { get }
    /// The text search.
    var index: SearchIndex { get }
    var copier: any DatabaseCopying { get }
    var upkeep: EngineUpkeep { get }
    /// The condition of the engine for other threads, and the way to end its waits.
    var control: EngineControl { get }

    /// Executes the requests in their order, and makes all of them durable with one flush to the disk.
    ///
    /// A request that cannot be executed is refused in its reply and does not affect the other requests. A request that
    /// was answered before gets the same reply again and changes nothing.
    ///
    /// - Throws: an error if the batch could not be made durable. Then nothing was done, and the batch may be tried
    ///   again. While the condition is ``EngineCondition/full(room:reserve:)``, every batch is refused at once.
    func apply(_ batch: [WriteRequest]) throws(EngineError) -> AppliedBatch

    /// Checks whether writing is possible again. Called about once a second, so it must cost little.
    func recover()

    /// Ends all work. Every later call fails with ``EngineError/closed``.
    func close()
}
