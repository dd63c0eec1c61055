// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

extension zmq_msg_t {
    init(copying bytes: UnsafeRawBufferPointer) {
        self.init()
        let result = zmq_msg_init_size(&self, bytes.count)
        precondition(result == 0, "no memory for a message of \(bytes.count) bytes")
        if let source = bytes.baseAddress { zmq_msg_data(&self).copyMemory(from: source, byteCount: bytes.count) }
    }

    init(_ bytes: [UInt8]) {
        guard bytes.count >= Message.handOverThreshold else {
            self = bytes.withUnsafeBytes { zmq_msg_t(copying: $0) }
            return
        }
        self.init(handing: bytes, counting: nil)
    }

    /// Hands the array's storage to libzmq, whatever its size.
    init(handing bytes: [UInt8], counting held: HeldBytes?) {
        let owner = HandedOver(bytes, held)
        // The pointer stays valid after the closure, because on Linux a `[UInt8]` is always one native buffer, which
        // `owner` keeps alive. A writer elsewhere sees two references, and copies the array first.
        self.init(referringTo: bytes.withUnsafeBytes { $0 }, keptBy: owner)
    }

    /// Lets libzmq read the bytes where they are, for as long as it needs them.
    init(referringTo bytes: UnsafeRawBufferPointer, keptBy owner: AnyObject) {
        self.init()
        let result = zmq_msg_init_data(
            // The cast is safe, because libzmq only reads the bytes, and no code of ours writes to a payload.
            &self, UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count,
            // libzmq calls this function once, on any of its threads, when the last reference is gone.
            { _, owner in Unmanaged<AnyObject>.fromOpaque(owner!).release() },
            Unmanaged.passRetained(owner).toOpaque())
        precondition(result == 0, "no memory for a message of \(bytes.count) bytes")
    }

    /// Makes a message of `byteCount` bytes, all of which `fill` has to write.
    init(
        byteCount: Int, counting held: HeldBytes?, from pool: FramePool? = nil,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        self.init()
        let block = CountedBlock.allocate(byteCount, held, pool)
        fill(UnsafeMutableRawBufferPointer(start: block + CountedBlock.headerBytes, count: byteCount))
        let result = zmq_msg_init_data(
            &self, block + CountedBlock.headerBytes, byteCount, { _, block in CountedBlock.free(block!) }, block)
        precondition(result == 0, "no memory for a message of \(byteCount) bytes")
    }

    /// Calls `zmq_msg_copy`: "the actual message content is reference counted". Mutating: libzmq marks the source.
    mutating func shared() -> zmq_msg_t {
        var copy = zmq_msg_t()
        zmq_msg_init(&copy)
        let result = zmq_msg_copy(&copy, &self)
        precondition(result == 0, "zmq_msg_copy of a message that is not valid")
        return copy
    }

    /// Moves the message out, and leaves an empty message behind.
    mutating func taken() -> zmq_msg_t {
        let taken = self
        zmq_msg_init(&self)
        return taken
    }
}

/// Keeps an array alive for as long as libzmq reads it.
private final class HandedOver: Sendable {
    private let bytes: [UInt8]
    private let held: HeldBytes?

    init(_ bytes: [UInt8], _ held: HeldBytes?) {
        self.bytes = bytes
        self.held = held
        held?.add(bytes.count + HeldBytes.overhead)
    }

    deinit { held?.add(-bytes.count - HeldBytes.overhead) }
}

/// A payload preceded by a header with its counter and pool, in one allocation without an object.
private enum CountedBlock {
    private struct Header {
        var held: Unmanaged<HeldBytes>?
        /// The pool to which the block is returned; `nil` if the C library frees it.
        var pool: Unmanaged<FramePool>?
        /// The number of counted bytes. A block of a pool counts as a whole, however short its payload is.
        var byteCount: Int
    }

    /// The size of the header in bytes, chosen so that the payload is aligned like the block.
    static let headerBytes = 32
    /// The sizes for which the pool is used. For smaller ones the C library has lock-free caches.
    private static let pooled = 1_024...FramePool.blockBytes - headerBytes

    static func allocate(_ byteCount: Int, _ held: HeldBytes?, _ pool: FramePool?) -> UnsafeMutableRawPointer {
        let pool = pooled.contains(byteCount) ? pool : nil
        let block = pool?.take() ?? .allocate(byteCount: headerBytes + byteCount, alignment: 8)
        // The counter and the pool are retained until the payload is freed, because freeing needs them.
        let counted = pool == nil ? byteCount : FramePool.blockBytes
        let header = Header(
            held: held.map { .passRetained($0) }, pool: pool.map { .passRetained($0) }, byteCount: counted)
        block.storeBytes(of: header, as: Header.self)
        held?.add(counted + HeldBytes.overhead)
        return block
    }

    /// libzmq calls this function once, on any of its threads, when the last reference is gone.
    static func free(_ block: UnsafeMutableRawPointer) {
        let header = block.load(as: Header.self)
        header.held?.takeUnretainedValue().add(-header.byteCount - HeldBytes.overhead)
        header.held?.release()
        guard let pool = header.pool else { return block.deallocate() }
        pool.takeUnretainedValue().give(block)
        pool.release()
    }
}
