// SPDX-License-Identifier: Apache-2.0

import Failpoints
import Landmarks
import WaymarkTransport

/// Commits the commands of a batch together: one transaction and one flush. Then all of them are answered, and their
/// changes are published in the order of revisions.
struct GroupCommit {
    /// A commit that has succeeded.
    struct Done {
        var commands: Int
        var changes: Int
        /// From the batch's arrival until it was durable.
        var time: Duration
    }

    let engine: any StorageEngine
    let publisher: FeedPublisher

    /// - Parameters:
    ///   - changed: gets what has changed of accounts, before anything is answered: whoever hears that a key has ended can
    ///     rely on it.
    ///   - answer: gets the encoded replies, in the order of the requests. It is called after the batch has become
    ///     durable, and before anything is published.
    /// - Throws: if the batch could not be made durable. Nothing of it was done, answered or published.
    func run(
        _ requests: [WriteRequest], changed: (AccountNews) -> Void, answer: ([[UInt8]]) -> Void
    ) throws(EngineError) -> Done {
        let begun = ContinuousClock.now
        let applied = try engine.apply(requests)
        let time = ContinuousClock.now - begun
        Failpoint.hit(.afterCommit)
        if let news = applied.accounts { changed(news) }
        answer(applied.replies)
        Failpoint.hit(.afterAnswer)
        publisher.together {
            for change in applied.changes {
                publisher.publish(change)
                if Failpoint.isArmed(.afterPublish) { publisher.flush() }
                Failpoint.hit(.afterPublish)
            }
        }
        return Done(commands: requests.count, changes: applied.changes.count, time: time)
    }
}
