// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// A frame of a ``ReceivedMessage``: a collection of its bytes, which are not copied. Frames of equal bytes are equal.
///
/// ``bytes`` is a copy, and ``text`` decodes the bytes as UTF-8.
///
/// `@unchecked Sendable`: `store` keeps the bytes at their address, and nobody writes to them.
public struct ReceivedFrame: RandomAccessCollection, @unchecked Sendable, Hashable {
    private let store: FrameStore
    private let memory: UnsafeRawBufferPointer

    init(_ store: FrameStore, _ index: Int) {
        self.store = store
        // The pointer is valid as long as `store` exists, and not only in the closure, because the store owns the
        // frames' structs on the heap, and nothing moves or closes them before it ends.
        memory = store.message.withUnsafeBytes(at: index) { $0 }
    }

    public var startIndex: Int { 0 }
    /// The number of bytes.
    public var endIndex: Int { memory.count }

    /// A byte of the frame.
    ///
    /// - Precondition: `position` is within the frame.
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < memory.count, "byte \(position) of a frame of \(memory.count)")
        return memory[position]
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] { [UInt8](memory) }

    /// The bytes decoded as UTF-8. Invalid bytes are replaced by U+FFFD.
    public var text: String { String(decoding: memory, as: UTF8.self) }

    /// Calls `body` with the bytes, which are valid until `body` returns.
    public func withUnsafeBytes<R: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R
    {
        try body(memory)
    }

    public func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
        try memory.withMemoryRebound(to: UInt8.self) { try body($0) }
    }

    /// Returns a `zmq_msg_t` with these bytes: a copy if they are few, otherwise a reference that keeps them alive.
    func sendable() -> zmq_msg_t {
        guard memory.count >= Message.handOverThreshold else { return zmq_msg_t(copying: memory) }
        return zmq_msg_t(referringTo: memory, keptBy: store)
    }

    public static func == (one: ReceivedFrame, other: ReceivedFrame) -> Bool {
        one.count == other.count
            && (one.isEmpty || memcmp(one.memory.baseAddress!, other.memory.baseAddress!, one.count) == 0)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(memory.count)
        hasher.combine(bytes: memory)
    }
}
