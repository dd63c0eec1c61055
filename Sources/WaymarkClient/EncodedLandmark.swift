// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
import WaymarkProtocol

/// A landmark in encoded form. A snapshot keeps its landmarks encoded, because this takes a third of the memory.
package struct EncodedLandmark: Sendable {
    private let bytes: Data

    init(bytes: Data) { self.bytes = bytes }

    init(_ landmark: Landmark) { bytes = Data(landmark.encoded) }

    func id() throws(ClientError) -> Landmark.ID {
        guard let id = bytes.withUnsafeBytes({ LandmarkView($0)?.id }) else { throw .unreadableAnswer("a landmark") }
        return id
    }

    package func landmark() throws(ClientError) -> Landmark {
        try ClientError.reading { () throws(InvalidInput) in try Landmark(encoded: bytes) }
    }
}
