// SPDX-License-Identifier: Apache-2.0

/// Writes a protobuf message into memory whose size is known to be enough. See ``WireSink``.
///
/// Unchecked except in debug builds: callers count the bytes first, with ``size(_:)-(Int)``.
public struct WireBuffer: WireSink {
    @usableFromInline var place: UnsafeMutableRawPointer
    @usableFromInline let end: UnsafeMutableRawPointer

    public init(_ buffer: UnsafeMutableRawBufferPointer) {
        // Any address will do for an empty buffer: nothing is ever written to it.
        place = buffer.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1)!
        end = place + buffer.count
    }

    @inlinable
    public mutating func put(_ byte: UInt8) {
        assert(place < end)
        place.storeBytes(of: byte, as: UInt8.self)
        place += 1
    }

    @inlinable
    public mutating func put(_ bytes: UnsafeRawBufferPointer) {
        assert(end - place >= bytes.count)
        guard let source = bytes.baseAddress else { return }
        place.copyMemory(from: source, byteCount: bytes.count)
        place += bytes.count
    }

    /// The number of bytes of a varint.
    @inlinable
    public static func size(_ value: UInt64) -> Int { (64 - (value | 1).leadingZeroBitCount + 6) / 7 }

    @inlinable
    public static func size(_ value: Int) -> Int { size(UInt64(value)) }
}
