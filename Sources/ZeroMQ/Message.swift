// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// A multipart message that is being built, or was just received.
///
/// Meant to be reused. Receiving repeatedly into the same message allocates nothing, because the frames' structs stay,
/// and libzmq stores payloads of up to 33 bytes inside them. Unique owner, movable between threads.
///
/// `@unchecked Sendable`: the frames belong to no thread, only this owner can reach them, nothing here writes to a
/// payload, and libzmq counts the references to a shared payload atomically.
public struct Message: ~Copyable, @unchecked Sendable {
    /// The `count` initialised frames, followed by spare slots. Growing may relocate the frames, because libzmq itself
    /// moves a frame by copying its 64 bytes.
    private var slots: UnsafeMutablePointer<zmq_msg_t>?
    private var capacity = 0

    /// The number of frames.
    public private(set) var count = 0

    /// Makes a message without frames. Its first frame allocates memory.
    public init() {}

    deinit {
        for index in 0..<count { zmq_msg_close(slots! + index) }
        slots?.deallocate()
    }

    /// Closes all frames and keeps the slots for new ones.
    public mutating func removeAll() {
        for index in 0..<count { zmq_msg_close(slots! + index) }
        count = 0
    }

    /// Returns the `zmq_msg_t` of a frame. The pointer is valid until the message grows or moves.
    func slot(_ index: Int) -> UnsafeMutablePointer<zmq_msg_t> {
        precondition(index >= 0 && index < count, "frame \(index) of a message of \(count)")
        return slots! + index
    }

    /// Returns the free slot for the next frame, which is not yet counted and not yet initialised.
    mutating func room() -> UnsafeMutablePointer<zmq_msg_t> {
        if count == capacity { grow() }
        return slots! + count
    }

    /// Counts the frame that was put into the slot returned by ``room()``.
    mutating func countRoom() { count += 1 }

    /// Resets the count after all frames were sent. They need no closing, because `zmq_msg_send` leaves them empty.
    mutating func forgetSentFrames() { count = 0 }

    private mutating func grow() {
        let larger = max(8, capacity * 2)
        let moved = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: larger)
        if let slots {
            moved.moveInitialize(from: slots, count: count)
            slots.deallocate()
        }
        slots = moved
        capacity = larger
    }
}
