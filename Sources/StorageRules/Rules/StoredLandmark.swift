// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

/// A stored landmark, decoded and encoded.
struct StoredLandmark {
    var landmark: Landmark
    /// The encoded `Landmark`.
    var record: [UInt8]

    /// - Throws: ``EngineError/corrupted(_:)``.
    init(record: some ContiguousBytes & Sequence<UInt8>) throws(EngineError) {
        do { landmark = try Landmark(encoded: record) } catch { throw .corrupted("a landmark's record cannot be read") }
        self.record = [UInt8](record)
    }

    init(_ landmark: Landmark) {
        (self.landmark, record) = (landmark, landmark.encoded)
    }
}
