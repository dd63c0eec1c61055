// SPDX-License-Identifier: Apache-2.0

import ZeroMQ

/// Collects messages for one socket, so that many of them leave at once.
///
/// libzmq's thread sleeps when it has nothing to write. Messages that are sent one by one wake it for one write to the
/// connection each; messages that are sent together share a few.
///
/// The owner of the socket decides when to flush: it asks ``isDue(at:)`` after each message. `Note` is what the owner
/// remembers of a message until it has left.
final class Outbox<Note> {
    private let most: Int
    private let patience: UInt64
    private var batch = MessageBatch()
    /// One for each complete message in `batch`, in the same order.
    private var notes: [Note] = []
    private var oldest: UInt64 = 0
    /// Whether messages are held back at the moment.
    private(set) var isGathering = false

    /// - Parameters:
    ///   - most: the number of messages at which they are due although more may come.
    ///   - patience: how many nanoseconds the oldest message may be held back. Use the times of `endMessage(_:at:)` then.
    init(most: Int = 64, patience: UInt64 = .max) {
        (self.most, self.patience) = (most, patience)
    }

    var count: Int { notes.count }
    var isEmpty: Bool { notes.isEmpty }
    var isFull: Bool { notes.count >= most }

    /// Holds messages back while `body` runs, and calls `flush` after it. A call within another one leaves the flush to
    /// the outer call.
    func together<E: Error>(_ body: () -> Void, flush: () throws(E) -> Void) throws(E) {
        guard !isGathering else { return body() }
        isGathering = true
        body()
        isGathering = false
        try flush()
    }

    /// Whether a number of messages must leave now instead of waiting for more.
    func isDue(_ count: Int) -> Bool { !isGathering || count >= most }

    /// Whether the held messages must leave now instead of waiting for more.
    ///
    /// - Parameter now: monotonic nanoseconds; only an outbox with `patience` needs them.
    func isDue(at now: UInt64 = 0) -> Bool { isDue(notes.count) || now &- oldest >= patience }

    /// Appends a frame to the message that is being built: a copy of these bytes.
    func append(copying bytes: UnsafeRawBufferPointer) { batch.append(copying: bytes) }

    /// Appends a frame to the message that is being built, as ``MessageBatch/append(_:)-([UInt8])`` does.
    func append(_ bytes: [UInt8]) { batch.append(bytes) }

    /// Appends a frame to the message that is being built, without copying its payload.
    func append(_ frame: consuming Frame) { batch.append(frame) }

    /// Ends the message that is being built.
    ///
    /// - Parameter now: monotonic nanoseconds; only an outbox with `patience` needs them.
    /// - Precondition: the message has a frame.
    func endMessage(_ note: Note, at now: UInt64 = 0) {
        batch.endMessage()
        if notes.isEmpty { oldest = now }
        notes.append(note)
    }

    /// Offers all held messages to the socket. Afterwards the outbox is empty, also after an error.
    ///
    /// - Parameter report: called once for each message, in order. The outcome is nil if an error kept the message from
    ///   being offered. It must not use the outbox.
    /// - Throws: the error of the first message that the socket could not accept. Later ones were not offered.
    func flush(
        to socket: borrowing Socket, _ report: (Note, SendOutcome?) -> Void
    ) throws(ZeroMQError) {
        guard !notes.isEmpty else { return }
        var place = 0
        defer {
            for note in notes[place...] { report(note, nil) }
            notes.removeAll(keepingCapacity: true)
        }
        try socket.send(&batch) { outcome in
            report(notes[place], outcome)
            place += 1
        }
    }
}

extension Socket {
    /// The same for a socket that may be closed already: `socket?.send(outbox) { … }`.
    borrowing func send<Note>(
        _ outbox: Outbox<Note>, _ report: (Note, SendOutcome?) -> Void
    ) throws(ZeroMQError) {
        try outbox.flush(to: self, report)
    }
}
