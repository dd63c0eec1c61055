// SPDX-License-Identifier: Apache-2.0

// The standard library normalizes texts to compare them, but this is not public API. Foundation's normalization is
// twenty times slower and knows fewer combining marks, so that texts that are equal in Swift would keep different
// bytes.
@_spi(_Unicode) import Swift

/// Unicode's normal form NFC. All input is converted to it, so that "é" is always stored as one scalar.
///
/// For Swift, "é" as one scalar and as two are equal, but SQLite, digests, topics and other languages compare bytes.
extension String {
    /// The text in NFC: equal texts have equal bytes. A text that is not ``isStreamSafe`` is returned unchanged.
    public var normal: String {
        // Scalars below U+0300 (CC 80 in UTF-8) are always in NFC.
        if utf8.allSatisfy({ $0 < 0xcc }) || !isStreamSafe { return self }
        return String(UnicodeScalarView(_nfc))
    }

    /// The maximum number of combining marks in a row, as in Unicode's Stream-Safe Text Format.
    public static let marksInARow = 30

    /// Whether no run of combining marks is longer than ``marksInARow``, so that the text can be normalized in
    /// reasonable time. The time grows with the square of a run's length: tens of thousands take seconds.
    public var isStreamSafe: Bool {
        if utf8.allSatisfy({ $0 < 0xcc }) { return true }
        var inARow = 0
        for scalar in unicodeScalars {
            inARow = scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : inARow + 1
            if inARow > Self.marksInARow { return false }
        }
        return true
    }
}
