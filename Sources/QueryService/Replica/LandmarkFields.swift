// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks
import WaymarkProtocol

/// The fields of an encoded `Landmark` that a replica reads. The others are only copied into answers.
struct LandmarkFields {
    let id: Landmark.ID
    let coordinate: Coordinate
    let rev: UInt64
    /// UTF-8. Valid as long as the bytes that it was read from.
    let name: UnsafeRawBufferPointer
    let kind: String
    let user: String
    /// The name of the source; empty if there is none.
    let source: String

    /// - Throws: an error if the bytes are not a landmark.
    init(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) {
        // Together with a folded name of the same size, a landmark has to fit into a block of the store.
        guard bytes.count <= 2 * LandmarkRules.grownBytes else {
            throw .outOfRange("landmark", "of at most 256 KiB")
        }
        guard let view = LandmarkView(bytes) else { throw .missing("a readable landmark") }
        (id, rev, coordinate, name) = (try view.knownID(), view.rev, try view.coordinate(), view.name)
        if !WireText.isASCII(name) { _ = try Self.text(name) }
        guard let source = view.sourceName else { throw .missing("a readable source") }
        (kind, user, self.source) = (try Self.text(view.kind), try Self.text(view.user), try Self.text(source))
    }

    /// Lends the name in the form that it is sorted by: case and accents folded.
    func withFoldedName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard WireText.isASCII(name) else {
            var folded = TextFolding.forSorting(String(decoding: name, as: UTF8.self))
            // Folding can lengthen the name; together with the landmark it still has to fit into a block of the
            // store.
            return folded.withUTF8 {
                body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0).prefix(1 << 20)))
            }
        }
        return withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { folded in
            for index in 0..<name.count {
                let byte = name[index]
                folded[index] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
            }
            return body(UnsafeRawBufferPointer(folded))
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(InvalidInput) -> String {
        guard let text = WireText.string(bytes) else { throw .missing("a text in UTF-8") }
        return text
    }
}
