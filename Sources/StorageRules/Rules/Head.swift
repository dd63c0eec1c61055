// SPDX-License-Identifier: Apache-2.0

/// The newest revision, and the number of landmarks after it.
package struct Head: Hashable, Sendable {
    package var rev: UInt64 = 0
    package var landmarks: UInt64 = 0

    package init(rev: UInt64 = 0, landmarks: UInt64 = 0) { (self.rev, self.landmarks) = (rev, landmarks) }

    /// Returns the head after one more revision.
    ///
    /// - Parameter change: the number of landmarks that the revision adds; negative if it removes some.
    ///
    /// - Throws: ``EngineError/corrupted(_:)`` if the database holds an impossible number of landmarks.
    func next(landmarks change: Int64) throws(EngineError) -> Head {
        guard landmarks < 1 << 62, let count = Int64(exactly: landmarks), count + change >= 0 else {
            throw .corrupted("it has an impossible number of landmarks: \(landmarks)")
        }
        return Head(rev: rev + 1, landmarks: UInt64(count + change))
    }
}
