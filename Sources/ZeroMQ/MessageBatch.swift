// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// Messages that are built one after the other and sent together.
///
/// libzmq's thread sleeps when it has nothing to write, and the next message wakes it. Messages that are sent some
/// microseconds apart each cost a wake-up and a write to the connection; sent together, they share a few. Meant to be
/// reused.
public struct MessageBatch: ~Copyable, Sendable {
    private var frames = Message()
    /// For each message, the number of frames in `frames` up to its last frame.
    private var ends: [Int] = []

    public init() {}

    /// The number of complete messages.
    public var count: Int { ends.count }

    /// Appends a frame with a copy of these bytes to the message that is being built.
    public mutating func append(copying bytes: UnsafeRawBufferPointer) { frames.append(copying: bytes) }

    /// Appends a frame with these bytes, as `Message.append` does, to the message that is being built.
    public mutating func append(_ bytes: [UInt8]) { frames.append(bytes) }

    /// Appends a frame, without copying its payload, to the message that is being built.
    public mutating func append(_ frame: consuming Frame) { frames.append(frame) }

    /// Ends the message that is being built.
    ///
    /// - Precondition: the message has a frame.
    public mutating func endMessage() {
        precondition(frames.count > ends.last ?? 0, "a message without frames cannot be sent")
        ends.append(frames.count)
    }

    /// Returns the frames of the complete message with this index.
    func message(_ place: Int) -> (first: UnsafeMutablePointer<zmq_msg_t>, count: Int) {
        let start = place == 0 ? 0 : ends[place - 1]
        return (frames.slot(start), ends[place] - start)
    }

    /// Drops all messages, and keeps the memory of their frames.
    ///
    /// libzmq leaves an empty frame in place of each frame that it took. Closing an empty frame does nothing.
    public mutating func removeAll() {
        frames.removeAll()
        ends.removeAll(keepingCapacity: true)
    }
}
