// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Collects messages for one socket, so that many of them are sent at once.
///
/// libzmq's thread sleeps when it has nothing to write. Messages that are sent one by one wake it for one write to the
/// connection each; messages that are sent together share a few.
///
/// ``add(_:at:payload:_:)`` tells the owner of the socket when the messages are due, and the owner flushes. `Note` is
/// the owner's record of a message until it is sent.
final class Outbox<Note> {
    /// All state that adding a message changes, in one value, so that Swift checks one access for each message.
    private struct Held: ~Copyable {
        var batch = MessageBatch()
        /// The notes of the messages in `batch`, in the same order.
        var notes: [Note] = []
        var oldest: UInt64 = 0
    }

    private let most: Int
    private let patience: UInt64
    private var held = Held()
    /// Whether messages are held back at the moment.
    private(set) var isGathering = false

    /// - Parameters:
    ///   - most: the number of messages that makes them due even while more are being gathered.
    ///   - patience: how many nanoseconds the oldest message may be held back. An outbox with patience needs the time
    ///     of each message.
    init(most: Int = 64, patience: UInt64 = .max) {
        (self.most, self.patience) = (most, patience)
    }

    var count: Int { held.notes.count }
    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= most }

    /// Holds messages back while `body` runs, then calls `flush`. A nested call leaves the flush to the outer one.
    func together<E: Error>(_ body: () -> Void, flush: () throws(E) -> Void) throws(E) {
        guard !isGathering else { return body() }
        isGathering = true
        body()
        isGathering = false
        try flush()
    }

    /// Whether this many messages must leave now instead of waiting for more.
    func isDue(_ count: Int) -> Bool { !isGathering || count >= most }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - now: monotonic nanoseconds; only an outbox with patience needs them.
    ///   - payload: the last frame, which is not copied.
    ///   - build: appends the frames before it. The message must have at least one frame.
    /// - Returns: whether the held messages must leave now instead of waiting for more.
    func add(
        _ note: Note, at now: UInt64 = 0, payload: consuming Frame? = nil, _ build: (inout MessageBatch) -> Void
    ) -> Bool {
        add(note, now, payload, to: &held, build)
    }

    private func add(
        _ note: Note, _ now: UInt64, _ payload: consuming Frame?, to held: inout Held,
        _ build: (inout MessageBatch) -> Void
    ) -> Bool {
        build(&held.batch)
        if let payload { held.batch.append(payload) }
        held.batch.endMessage()
        if held.notes.isEmpty { held.oldest = now }
        held.notes.append(note)
        return isDue(held.notes.count) || now &- held.oldest >= patience
    }

    /// Offers all held messages to the socket. Afterwards the outbox is empty, also after an error.
    ///
    /// - Parameter report: called once for each message, in order. The outcome is nil if an error kept the message from
    ///   being offered. It must not use the outbox.
    /// - Throws: the error of the first message that the socket could not accept. Later ones were not offered.
    func flush(
        to socket: borrowing Socket, _ report: (Note, SendOutcome?) -> Void
    ) throws(ZeroMQError) {
        try flush(&held, to: socket, report)
    }

    private func flush(
        _ held: inout Held, to socket: borrowing Socket, _ report: (Note, SendOutcome?) -> Void
    ) throws(ZeroMQError) {
        guard !held.notes.isEmpty else { return }
        // Taken out, because `send` changes the batch while the notes are read; put back, to keep their capacity.
        var notes = held.notes
        held.notes = []
        var place = 0
        defer {
            for note in notes[place...] { report(note, nil) }
            notes.removeAll(keepingCapacity: true)
            held.notes = notes
        }
        try socket.send(&held.batch) { outcome in
            report(notes[place], outcome)
            place += 1
        }
    }
}
