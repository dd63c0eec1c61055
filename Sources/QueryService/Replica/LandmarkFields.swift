// SPDX-License-Identifier: Apache-2.0

internal import Landmarks
import WaymarkProtocol

/// The fields of an encoded `Landmark` that a replica reads. Other fields are only copied into answers.
struct LandmarkFields {
    /// The landmark's id, coordinate, kind, user and source.
    let subject: FilterSubject
    /// A view of the encoded bytes. Valid as long as the bytes are.
    let view: LandmarkView

    /// - Parameter known: the landmark's subject if it was read before; nil if it has to be read now.
    /// - Throws: an error if the bytes are not a landmark.
    init(_ bytes: UnsafeRawBufferPointer, _ known: FilterSubject? = nil) throws(InvalidInput) {
        // A landmark and its folded name, which can be as long, have to fit into one block of the store.
        guard bytes.count <= 2 * LandmarkRules.grownBytes else {
            throw .outOfRange("landmark", "of at most 256 KiB")
        }
        guard let view = LandmarkView(bytes) else { throw .missing("a readable landmark") }
        self.view = view
        if let known { subject = known } else { subject = try FilterSubject(view) }
        // The store finds the id and the name without reading the other fields. Every release writes these two first.
        let name = LandmarkAddress.name(of: bytes)
        let id = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2).prefix(16))
        guard UUIDv7(bytes: id) == subject.id, bytes[0] == 0x0a, bytes[1] == 16,
            name.isEmpty && view.name.isEmpty || name.baseAddress == view.name.baseAddress
        else { throw .missing("an id and a name at its start") }
        if !WireText.isASCII(view.name) { _ = try WireText.checked(view.name) }
    }

    /// Lends the folded name, by which landmarks are sorted: without differences in case and accents.
    func withFoldedName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let name = view.name
        guard !WireText.isASCII(name) else { return Self.withFolded(ascii: name, body) }
        var folded = TextFolding.forSorting(String(decoding: name, as: UTF8.self))
        // Folding can lengthen the name, so the folded name is cut off: it has to fit into a block of the store
        // together with the landmark.
        return folded.withUTF8 { body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).prefix(1 << 20))) }
    }

    /// Lends the folded name of a name in ASCII.
    static func withFolded<Result>(
        ascii name: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { folded in
            for index in 0..<name.count { folded[index] = Self.folded(name[index]) }
            return body(UnsafeRawBufferPointer(folded))
        }
    }

    static func folded(_ ascii: UInt8) -> UInt8 { ascii >= 0x41 && ascii <= 0x5a ? ascii | 0x20 : ascii }
}
