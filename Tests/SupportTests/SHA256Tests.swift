// SPDX-License-Identifier: Apache-2.0

import Support
import TestTurns
import Testing

@Suite(.inShortTurn)
struct SHA256Tests {
    /// FIPS 180-4's own examples: no block, one, two, and very many.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func examples(text: String, digest: String) {
        #expect(SHA256.hash(Array(text.utf8).span.bytes).hexadecimal == digest)
    }

    @Test func piecesMakeTheSameAsTheWhole() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let whole = SHA256.hash(bytes.span.bytes)
        for size in [1, 63, 64, 65, 999] {
            var digest = SHA256()
            for start in stride(from: 0, to: bytes.count, by: size) {
                digest.update(Array(bytes[start..<min(start + size, bytes.count)]).span.bytes)
                digest.update([UInt8]().span.bytes)
            }
            #expect(digest.finalize() == whole)
        }
    }

    @Test func aCopyGoesItsOwnWay() {
        var one = SHA256()
        one.update(Array("ab".utf8).span.bytes)
        var other = one
        one.update(Array("c".utf8).span.bytes)
        other.update(Array("d".utf8).span.bytes)
        #expect(one.finalize() == SHA256.hash(Array("abc".utf8).span.bytes))
        #expect(other.finalize() == SHA256.hash(Array("abd".utf8).span.bytes))
    }
}
