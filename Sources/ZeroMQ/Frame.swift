// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// A frame outside of a message, for example a routing id to answer to, or a payload that goes to many peers.
///
/// The bytes never change. A frame has a unique owner; ``share()`` makes a second frame with the same bytes.
///
/// `@unchecked Sendable`: a `zmq_msg_t` belongs to no thread, only its one owner can reach it, nothing here writes to
/// the payload, and libzmq counts the references to a shared payload atomically.
public struct Frame: ~Copyable, @unchecked Sendable {
    /// Stored inline and not on the heap, because libzmq itself relocates a `zmq_msg_t` by copying its 64 bytes. The
    /// address of the payload is valid only while the struct is not moved (payloads of up to 33 bytes lie inside it),
    /// so no pointer may leave the closures below.
    private var message: zmq_msg_t

    init(taking message: zmq_msg_t) { self.message = message }

    /// Makes a frame with these bytes. From ``Message/handOverThreshold`` on, libzmq uses the array's own storage.
    public init(_ bytes: [UInt8]) { message = zmq_msg_t(bytes) }

    /// Makes a frame with these bytes, which are counted until the last frame that shares them is gone.
    ///
    /// Short frames are copied, because an object that keeps the array alive would cost more.
    public init(_ bytes: [UInt8], countedBy held: HeldBytes) {
        guard bytes.count < Message.handOverThreshold else {
            message = zmq_msg_t(handing: bytes, counting: held)
            return
        }
        message = zmq_msg_t(byteCount: bytes.count, counting: held) { room in
            bytes.withUnsafeBytes { room.copyMemory(from: $0) }
        }
    }

    /// Makes a frame of `byteCount` bytes, which `fill` writes in place. The bytes are counted until no frame has them
    /// any more.
    ///
    /// - Parameters:
    ///   - pool: the source of memory for payloads of some kilobytes; belongs to the calling thread.
    ///   - fill: must write all of the bytes.
    public init(
        byteCount: Int, countedBy held: HeldBytes? = nil, from pool: FramePool? = nil,
        fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        message = zmq_msg_t(byteCount: byteCount, counting: held, from: pool, fill)
    }

    deinit {
        var last = message
        zmq_msg_close(&last)
    }

    /// The number of bytes.
    public var byteCount: Int { withUnsafeBytes { $0.count } }

    /// A copy of the bytes.
    public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// Calls `body` with the bytes, which are valid until `body` returns.
    public func withUnsafeBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R
    {
        var held = message
        return try withUnsafeMutablePointer(to: &held) { (pointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(start: zmq_msg_data(pointer), count: zmq_msg_size(pointer)))
        }
    }

    /// Makes a second frame with the same payload, which the two frames share if it has more than 33 bytes.
    public mutating func share() -> Frame { Frame(taking: message.shared()) }

    consuming func release() -> zmq_msg_t {
        let taken = message
        discard self
        return taken
    }
}
