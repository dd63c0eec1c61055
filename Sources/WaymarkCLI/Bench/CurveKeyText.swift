// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import ZeroMQ

/// Reads CURVE keys from the files in which people keep them: 40 characters of Z85 on a line of their own, a key file
/// of Waymark (`public KEY`), or a certificate of CZMQ or pyzmq (`public-key = "KEY"`).
enum CurveKeyText {
    /// Reads a server's public key. In a person's key file that is the key of the server, not their own.
    static func publicKey(_ path: String) throws(KeyFileError) -> CurveKey {
        guard let bytes = BoundedFile.read(path, upTo: 65_536) else { throw .missing(path: path) }
        let key = find(["server", "public", "public-key"], in: String(decoding: bytes, as: UTF8.self))
        guard let key else { throw .malformed(path: path) }
        return key
    }

    /// - Throws: a `KeyFileError` also if others may read the file.
    static func pair(_ path: String) throws(KeyFileError) -> CurveKeyPair {
        let text = String(decoding: try SecretFile.read(path), as: UTF8.self)
        guard let secret = find(["secret", "secret-key"], in: text), let pair = try? CurveKeyPair(secretKey: secret)
        else { throw .malformed(path: path) }
        return pair
    }

    /// Returns the key with the first of the names that the text has, or else a key that is alone on its line.
    static func find(_ names: [String], in text: String) -> CurveKey? {
        var found: [String: CurveKey] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }.map(String.init)
            if words.count == 1 {
                found[""] = found[""] ?? CurveKey(z85: String(line))
            } else if words.count == 2 {
                found[words[0]] = key(in: words[1])
            }
        }
        return names.lazy.compactMap { found[$0] }.first ?? found[""]
    }

    private static func key(in value: String) -> CurveKey? {
        // A key may itself begin with the sign, so it is tried first.
        let value = value.trimmed
        guard value.hasPrefix("="), value.utf8.count != 40 else { return CurveKey(z85: String(value)) }
        return CurveKey(z85: value.dropFirst().trimmed.filter { !"\"'".contains($0) })
    }
}
