// SPDX-License-Identifier: Apache-2.0

/// Writes a protobuf message into a given memory block, which must be large enough. See ``WireSink``.
///
/// The size is checked only in debug builds, so callers first count the bytes, with ``size(_:)-(Int)``.
public struct WireBuffer: WireSink {
    @usableFromInline var place: UnsafeMutableRawPointer
    @usableFromInline let end: UnsafeMutableRawPointer

    public init(_ buffer: UnsafeMutableRawBufferPointer) {
        // For an empty buffer any pointer will do, because nothing is ever written to it.
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

    /// Returns the number of bytes of a varint.
    @inlinable
    public static func size(_ value: UInt64) -> Int { (64 - (value | 1).leadingZeroBitCount + 6) / 7 }

    @inlinable
    public static func size(_ value: Int) -> Int { size(UInt64(value)) }
}
