// SPDX-License-Identifier: Apache-2.0

/// Writes a protobuf message into an array that grows as needed. See ``WireSink``.
public struct WireWriter: WireSink, Sendable {
    public var bytes: [UInt8] = []

    /// - Parameter count: the expected number of bytes.
    public init(expecting count: Int = 0) { bytes.reserveCapacity(count) }

    @inlinable
    public mutating func put(_ byte: UInt8) { bytes.append(byte) }

    @inlinable
    public mutating func put(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }

    /// Removes all bytes, so that another message can be written to the same memory.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
