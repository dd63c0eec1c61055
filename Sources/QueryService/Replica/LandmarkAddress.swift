// SPDX-License-Identifier: Apache-2.0

/// The memory address of one landmark in a ``LandmarkStore``. Valid until the landmark is released.
///
/// `@unchecked Sendable`: only the owner of the store dereferences the address.
struct LandmarkAddress: @unchecked Sendable {
    let start: UnsafeMutableRawPointer

    /// Refers to a landmark that was written before.
    init(at start: UnsafeMutableRawPointer) { self.start = start }

    /// Writes a landmark at an address.
    init(
        at start: UnsafeMutableRawPointer, slot: UInt32, _ landmark: UnsafeRawBufferPointer,
        _ foldedName: UnsafeRawBufferPointer
    ) {
        self.start = start
        start.storeBytes(of: slot, as: UInt32.self)
        start.storeBytes(of: UInt32(landmark.count), toByteOffset: 4, as: UInt32.self)
        start.storeBytes(of: UInt32(foldedName.count), toByteOffset: 8, as: UInt32.self)
        let body = start + Self.headerBytes
        if let source = foldedName.baseAddress { body.copyMemory(from: source, byteCount: foldedName.count) }
        if let source = landmark.baseAddress {
            (body + foldedName.count).copyMemory(from: source, byteCount: landmark.count)
        }
    }

    private static let headerBytes = 12

    /// Returns the size in bytes of a landmark with its name and header, rounded up so that the next header is aligned.
    static func room(_ landmark: Int, _ name: Int) -> Int { (headerBytes + landmark + name + 3) & ~3 }

    var byteCount: Int { Self.room(landmarkCount, nameCount) }
    var slot: UInt32 { start.load(as: UInt32.self) }
    private var landmarkCount: Int { Int(start.load(fromByteOffset: 4, as: UInt32.self)) }
    private var nameCount: Int { Int(start.load(fromByteOffset: 8, as: UInt32.self)) }

    /// The encoded `Landmark`.
    var landmark: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + Self.headerBytes + nameCount, count: landmarkCount)
    }

    /// The folded name, by which landmarks are sorted, in UTF-8.
    var foldedName: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + Self.headerBytes, count: nameCount)
    }

    /// Prefetches the landmark, which will be read soon.
    func prefetch() {
        LargeMemory.prefetch(start)
        LargeMemory.prefetch(start + 64)
        LargeMemory.prefetch(start + 128)
    }
}
