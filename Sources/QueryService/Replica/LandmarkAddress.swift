// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

/// The memory address of one landmark in a ``LandmarkStore``. Valid until the landmark is released.
///
/// `@unchecked Sendable`: only the owner of the store dereferences the address.
struct LandmarkAddress: @unchecked Sendable {
    let start: UnsafeMutableRawPointer

    /// Refers to a landmark that was written before.
    init(at start: UnsafeMutableRawPointer) { self.start = start }

    /// Writes a landmark at an address.
    ///
    /// - Parameter foldedName: not written if it follows from the landmark's name.
    init(
        at start: UnsafeMutableRawPointer, slot: UInt32, _ landmark: UnsafeRawBufferPointer,
        _ foldedName: UnsafeRawBufferPointer
    ) {
        self.start = start
        let hasFoldedName = Self.storesFoldedName(of: landmark)
        start.storeBytes(of: slot, as: UInt32.self)
        start.storeBytes(of: UInt32(landmark.count) | (hasFoldedName ? Self.mark : 0), toByteOffset: 4, as: UInt32.self)
        UnsafeMutableRawBufferPointer(start: start + Self.headerBytes, count: landmark.count).copyMemory(from: landmark)
        guard hasFoldedName else { return }
        let rest = start + Self.headerBytes + landmark.count
        rest.storeBytes(of: UInt32(foldedName.count), as: UInt32.self)
        UnsafeMutableRawBufferPointer(start: rest + 4, count: foldedName.count).copyMemory(from: foldedName)
    }

    private static let headerBytes = 8
    /// The bit beside the byte count that says that a folded name follows the landmark.
    private static let mark: UInt32 = 1 << 31

    /// Returns the size in bytes of a landmark with its header, and with its folded name if that is stored.
    static func room(_ landmark: UnsafeRawBufferPointer, _ foldedName: Int) -> Int {
        headerBytes + landmark.count + (storesFoldedName(of: landmark) ? 4 + foldedName : 0)
    }

    var byteCount: Int { Self.headerBytes + landmark.count + (hasFoldedName ? 4 + storedName.count : 0) }
    // Neither counts nor landmarks are aligned, because rounding would take two bytes for each landmark.
    var slot: UInt32 { start.loadUnaligned(as: UInt32.self) }
    private var word: UInt32 { start.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
    private var hasFoldedName: Bool { word & Self.mark != 0 }

    /// The encoded `Landmark`.
    var landmark: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start + Self.headerBytes, count: Int(word & ~Self.mark))
    }

    private var storedName: UnsafeRawBufferPointer {
        let rest = start + Self.headerBytes + landmark.count
        return UnsafeRawBufferPointer(start: rest + 4, count: Int(rest.loadUnaligned(as: UInt32.self)))
    }

    /// Lends the folded name, by which landmarks are sorted, in UTF-8.
    func withFoldedName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        hasFoldedName ? body(storedName) : LandmarkFields.withFolded(ascii: Self.name(of: landmark), body)
    }

    /// The name, if its lower case is the folded name.
    var asciiName: UnsafeRawBufferPointer? { hasFoldedName ? nil : Self.name(of: landmark) }

    /// The landmark's id. ``LandmarkFields`` accepts no landmark without these bytes.
    var id: Landmark.ID {
        let id = start + Self.headerBytes + Self.idOffset
        return Landmark.ID(
            high: UInt64(bigEndian: id.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: id.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// The number of bytes before the id in an encoded landmark: of its tag and its length.
    private static let idOffset = 2

    /// Returns the name in an encoded landmark, which comes right after the id.
    static func name(of landmark: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var fields = WireFields(UnsafeRawBufferPointer(rebasing: landmark.dropFirst(idOffset + 16)))
        guard case (LandmarkField.name.rawValue, .bytes(let name))? = fields.next() else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return name
    }

    /// Whether the folded name is more than the name in lower case, so that it is stored.
    private static func storesFoldedName(of landmark: UnsafeRawBufferPointer) -> Bool {
        !WireText.isASCII(name(of: landmark))
    }

    /// Prefetches the landmark, which will be read soon.
    func prefetch() {
        LargeMemory.prefetch(start)
        LargeMemory.prefetch(start + 64)
        LargeMemory.prefetch(start + 128)
    }
}
