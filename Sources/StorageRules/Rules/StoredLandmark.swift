// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks

/// A stored landmark, decoded and encoded.
package struct StoredLandmark {
    package var landmark: Landmark
    /// The encoded `Landmark`.
    package var record: [UInt8]

    /// - Throws: ``EngineError/corrupted(_:)`` if the record cannot be decoded.
    package init(record: some ContiguousBytes & Sequence<UInt8>) throws(EngineError) {
        do { landmark = try Landmark(encoded: record) } catch { throw .corrupted("a landmark's record cannot be read") }
        self.record = [UInt8](record)
    }

    init(_ landmark: Landmark) {
        (self.landmark, record) = (landmark, landmark.encoded)
    }
}
