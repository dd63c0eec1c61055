// SPDX-License-Identifier: Apache-2.0

/// The order of group commit, without engines and sockets: what gathers while a batch is made durable is the next batch.
///
/// ```
///          gathered                         ended, and something has gathered
///   idle ------------> committing --------------------------+
///    ^                   |      ^                           |
///    +-------------------+      +---------------------------+
///        ended, nothing gathered
/// ```
///
/// While it commits and the next batch is full, nothing is received: the rest waits in the socket, and its senders with it.
struct CommitMachine: Equatable {
    enum Action: Equatable {
        /// Hand what has gathered to the engine.
        case apply
        /// Answer and publish the batch that has ended.
        case finish
        /// Reads that have seen the batch may be answered.
        case releaseReads
        case stopReceiving
        case receive
    }

    let mostCommands: Int
    let mostBytes: Int
    private(set) var isCommitting = false
    private(set) var isReceiving = true

    private func hasRoom(_ count: Int, _ bytes: Int) -> Bool { count < mostCommands && bytes < mostBytes }

    /// Writes have gathered, this many in all.
    mutating func gathered(_ count: Int, bytes: Int) -> [Action] {
        guard isCommitting else {
            guard count > 0 else { return [] }
            isCommitting = true
            return [.apply]
        }
        guard isReceiving, !hasRoom(count, bytes) else { return [] }
        isReceiving = false
        return [.stopReceiving]
    }

    /// The batch is durable, or failed.
    ///
    /// - Parameter gathered: how many writes wait for the next batch. The engine works on it while this one is answered and
    ///   published; reads that have ended by now have seen nothing of it.
    mutating func ended(gathered: Int) -> [Action] {
        isCommitting = gathered > 0
        let isPaused = !isReceiving
        isReceiving = true
        return (isCommitting ? [.apply] : []) + [.finish, .releaseReads] + (isPaused ? [.receive] : [])
    }
}
