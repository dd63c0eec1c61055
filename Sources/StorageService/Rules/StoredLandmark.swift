// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// A stored landmark, decoded and encoded.
struct StoredLandmark {
    var landmark: Landmark
    /// The encoded `Landmark`.
    var record: [UInt8]

    /// - Throws: ``EngineError/corrupted(_:)``.
    init(record: some SwiftProtobufContiguousBytes & Sequence<UInt8>) throws(EngineError) {
        do {
            self.landmark = try Landmark(WireLandmark(serializedBytes: record))
            self.record = [UInt8](record)
        } catch {
            throw .corrupted("a landmark's record cannot be read")
        }
    }

    init(_ landmark: Landmark) {
        (self.landmark, record) = (landmark, landmark.encoded)
    }
}
