// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// One frame outside a message: a routing id to answer to, or a payload that goes to many peers.
///
/// The bytes never change. A frame has a unique owner; ``share()`` makes a second frame with the same bytes.
///
/// `@unchecked Sendable`: a `zmq_msg_t` belongs to no thread, only one owner can reach it, nothing here writes to the
/// payload, and the count of a payload that frames share is atomic in libzmq.
public struct Frame: ~Copyable, @unchecked Sendable {
    /// Stored inline, not on the heap: libzmq relocates a `zmq_msg_t` by copying its 64 bytes, and so may we. The
    /// payload's address is only good while the struct stays put (up to 33 bytes lie inside it), hence no pointer
    /// leaves the closures below.
    private var message: zmq_msg_t

    init(taking message: zmq_msg_t) { self.message = message }

    /// A frame with a copy of these bytes.
    public init(copying bytes: UnsafeRawBufferPointer) { message = zmq_msg_t(copying: bytes) }

    /// A frame with these bytes; from ``Message/handOverThreshold`` on, the array's storage itself is handed to libzmq.
    public init(_ bytes: [UInt8]) { message = zmq_msg_t(bytes) }

    /// A frame with these bytes, which are counted until the last frame that shares them is gone.
    ///
    /// Short frames are copied: an object that keeps the array alive costs more.
    public init(_ bytes: [UInt8], countedBy held: HeldBytes) {
        guard bytes.count < Message.handOverThreshold else {
            message = zmq_msg_t(handing: bytes, counting: held)
            return
        }
        message = zmq_msg_t(byteCount: bytes.count, counting: held) { room in
            bytes.withUnsafeBytes { room.copyMemory(from: $0) }
        }
    }

    /// A frame of `byteCount` bytes that `fill` writes in place, counted until the last frame that shares them is gone.
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

    /// The bytes, good until `body` returns.
    public func withUnsafeBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R
    {
        var held = message
        return try withUnsafeMutablePointer(to: &held) { (pointer) throws(E) -> R in
            try body(UnsafeRawBufferPointer(start: zmq_msg_data(pointer), count: zmq_msg_size(pointer)))
        }
    }

    /// A second frame with the same payload: a counted reference; above 33 bytes nothing is copied.
    public mutating func share() -> Frame { Frame(taking: message.shared()) }

    consuming func release() -> zmq_msg_t {
        let taken = message
        discard self
        return taken
    }
}
