// SPDX-License-Identifier: Apache-2.0

import Support
public import ZeroMQ

/// A secret of 256 random bits that stands for an account over HTTP, in a session's cookie or as a bearer token.
/// Services keep only its digest, in the same field as a public key.
public enum WebToken {
    /// The prefix, by which secret scanners recognise a token that was published by mistake.
    private static let prefix = "waymark_"
    private static let bytes = 32

    public static func make() -> String {
        prefix + RandomBytes.make(bytes).hexadecimal
    }

    /// Returns the digest of a token; nil if the text is not a token.
    public static func digest(_ text: String) -> CurveKey? {
        guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 2 * bytes else { return nil }
        // A token needs no slow hash, because nobody can try all its random bits. The prefix `waymark token` makes its
        // digest different from the digest of any other text.
        return CurveKey(bytes: SHA256.hash(Array("waymark token\0\(text)".utf8).span.bytes))
    }
}
