// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// Entity tags (RFC 9110, 8.8.3). The tag of a landmark is its version.
enum EntityTag {
    /// A random number that stays secret and is different in each process.
    static let seed = UInt64.random(in: 0...UInt64.max)

    static func version(_ version: UInt64) -> String { "\"\(version)\"" }

    /// Makes the tag of an answer from its bytes. The tag is weak, because compression changes the bytes.
    ///
    /// The hash starts with the secret seed, so nobody can construct two answers with the same tag. After a restart, or
    /// from another process, a client therefore gets the whole answer again.
    static func content(_ bytes: [UInt8], seed: UInt64 = seed) -> String {
        var hasher = Hasher()
        hasher.combine(seed)
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        let digits = String(UInt(bitPattern: hasher.finalize()), radix: 16)
        return "W/\"\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits)\""
    }

    /// Whether the header `If-None-Match` contains this tag. The comparison is weak, as RFC 9110, 13.1.2 requires.
    static func matches(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { text in
            let text = text.drop { $0 == " " }
            return text == "*" || opaque(text) == opaque(tag[...])
        }
    }

    /// Returns the version that the header `If-Match` names; nil if the header is missing or `*`.
    static func version(from headers: HTTPFields) throws(Problem) -> UInt64? {
        guard let text = headers[.ifMatch], text != "*" else { return nil }
        guard let version = UInt64(text.filter { $0 != "\"" && $0 != " " }), version > 0 else {
            throw Problem.invalid("The header If-Match must be the ETag of the landmark, such as \"3\".")
        }
        return version
    }

    private static func opaque(_ tag: Substring) -> Substring {
        (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " }
    }
}
