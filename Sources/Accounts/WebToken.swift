// SPDX-License-Identifier: Apache-2.0

import Support
public import ZeroMQ

/// A secret of 256 random bits that stands for an account over HTTP: in the cookie of a session, or as a bearer. Services
/// keep only its digest, in the place of a public key.
public enum WebToken {
    /// So that a scanner for secrets recognises one that was published by mistake.
    private static let prefix = "waymark_"
    private static let bytes = 32

    public static func make() -> String {
        prefix + RandomBytes.make(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: nil for what is no token.
    public static func digest(_ text: String) -> CurveKey? {
        guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 2 * bytes else { return nil }
        // With so many random bits nobody can try them all, so it needs no slow hash. The words before it keep the digest
        // from being one of anything else.
        return CurveKey(bytes: SHA256.hash(Array("waymark token\0\(text)".utf8).span.bytes))
    }
}
