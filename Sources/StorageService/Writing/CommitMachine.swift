// SPDX-License-Identifier: Apache-2.0

/// The decisions of group commit. Writes that gather while a batch is made durable become the next batch.
///
/// ```
///          gathered                         ended, and something has gathered
///   idle ------------> committing --------------------------+
///    ^                   |      ^                           |
///    +-------------------+      +---------------------------+
///        ended, nothing gathered
/// ```
///
/// When the next batch is full too, nothing is received. Requests then wait in the socket, which slows the senders.
struct CommitMachine: Equatable {
    enum Action: Equatable {
        /// Hand the gathered writes to the engine.
        case apply
        /// Answer and publish the batch that has ended.
        case finish
        /// Send the answers of reads that may have seen the batch.
        case releaseReads
        case stopReceiving
        case receive
    }

    let mostCommands: Int
    let mostBytes: Int
    private(set) var isCommitting = false
    private(set) var isReceiving = true

    /// Reports how many writes have gathered for the next batch in total.
    mutating func gathered(_ count: Int, bytes: Int) -> [Action] {
        guard isCommitting else {
            guard count > 0 else { return [] }
            isCommitting = true
            return [.apply]
        }
        guard isReceiving, count >= mostCommands || bytes >= mostBytes else { return [] }
        isReceiving = false
        return [.stopReceiving]
    }

    /// Reports that the batch is durable or has failed. The engine works on the next batch while this batch is answered
    /// and published. Reads that have ended before now have seen nothing of the next batch.
    ///
    /// - Parameter gathered: the number of writes that have gathered for the next batch.
    mutating func ended(gathered: Int) -> [Action] {
        isCommitting = gathered > 0
        let isPaused = !isReceiving
        isReceiving = true
        return (isCommitting ? [.apply] : []) + [.finish, .releaseReads] + (isPaused ? [.receive] : [])
    }
}
