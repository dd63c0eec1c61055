// SPDX-License-Identifier: Apache-2.0

// Unicode's normal form is in the standard library, which compares texts by it, but not in what it makes public. That of
// Foundation knows fewer marks, so that texts which Swift takes for equal would keep different bytes, and takes twenty
// times as long.
@_spi(_Unicode) import Swift

/// One form for each text (Unicode's NFC), taken at the door: "é" is one scalar from then on, however it was typed.
///
/// Swift takes both forms for equal; SQLite, digests, topics and other languages compare bytes.
extension String {
    /// Of two texts that are equal, the same bytes. What is no ``isStreamSafe`` stays as it is.
    public var normal: String {
        // The first scalar that is not always in this form already is U+0300, in UTF-8 CC 80.
        if utf8.allSatisfy({ $0 < 0xcc }) || !isStreamSafe { return self }
        return String(UnicodeScalarView(_nfc))
    }

    /// Whether it is in this form: of texts that are equal, only one is.
    public var isNormal: Bool { utf8.allSatisfy { $0 < 0xcc } || utf8.elementsEqual(normal.utf8) }

    /// Marks that may follow each other on one letter: as many as Unicode's Stream-Safe Text Format takes.
    public static let marksInARow = 30

    /// Whether its marks can be put in order at all: that takes the square of how many follow each other, seconds for
    /// some ten thousand.
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
