// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Collects messages for one socket, so that many of them are sent at once.
///
/// libzmq's thread sleeps when it has nothing to write. Each message that is sent alone wakes the thread for a write of
/// its own; messages that are sent together share a few writes.
///
/// ``add(_:at:payload:_:)`` returns whether the messages are due, and then the owner of the socket calls `flush`.
/// `Note` is the owner's record of a message until the message is sent.
final class Outbox<Note> {
    /// All state that adding a message changes, as one value, so that Swift makes one exclusivity check per message.
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
    ///   - most: the number of waiting messages at which they are due even while more are being gathered.
    ///   - patience: how many nanoseconds the oldest message may be held back. If there is such a limit,
    ///     ``add(_:at:payload:_:)`` needs the time of each message.
    init(most: Int = 64, patience: UInt64 = .max) {
        (self.most, self.patience) = (most, patience)
    }

    var count: Int { held.notes.count }
    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= most }

    /// Holds messages back while `body` runs, then calls `flush`. In a nested call, only the outermost call flushes.
    func together<E: Error>(_ body: () -> Void, flush: () throws(E) -> Void) throws(E) {
        guard !isGathering else { return body() }
        isGathering = true
        body()
        isGathering = false
        try flush()
    }

    /// Returns whether so many messages must be sent now instead of waiting for more.
    func isDue(_ count: Int) -> Bool { !isGathering || count >= most }

    /// Adds a message.
    ///
    /// - Parameters:
    ///   - now: monotonic nanoseconds; only needed by an outbox with `patience`.
    ///   - payload: the last frame, which is not copied.
    ///   - build: appends the frames before the payload. The message must have at least one frame.
    /// - Returns: whether the waiting messages must be sent now instead of waiting for more.
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

    /// Offers all waiting messages to the socket. Afterwards the outbox is empty, even after an error.
    ///
    /// - Parameter report: called once for each message, in order. The outcome is nil if the message was not offered
    ///   because of an error. The closure must not use the outbox.
    /// - Throws: the error of the first message that the socket could not accept. Later messages were not offered.
    func flush(
        to socket: borrowing Socket, _ report: (Note, SendOutcome?) -> Void
    ) throws(ZeroMQError) {
        try flush(&held, to: socket, report)
    }

    private func flush(
        _ held: inout Held, to socket: borrowing Socket, _ report: (Note, SendOutcome?) -> Void
    ) throws(ZeroMQError) {
        guard !held.notes.isEmpty else { return }
        // The notes are taken out, because `send` changes the batch meanwhile, and put back to keep their capacity.
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
