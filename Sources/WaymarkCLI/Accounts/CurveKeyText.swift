// SPDX-License-Identifier: Apache-2.0

import Accounts
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
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.trimmed.split(maxSplits: 1) { $0 == " " || $0 == "\t" }.map(String.init)
        }
        let named = names.lazy.compactMap { name in lines.last { $0.count == 2 && $0[0] == name } }
        return named.compactMap { key(in: $0[1]) }.first
            ?? lines.lazy.filter { $0.count == 1 }.compactMap { CurveKey(z85: $0[0]) }.first
    }

    private static func key(in value: String) -> CurveKey? {
        // A key may itself begin with the sign, so it is tried first.
        let value = value.trimmed
        guard value.hasPrefix("="), value.utf8.count != 40 else { return CurveKey(z85: String(value)) }
        return CurveKey(z85: value.dropFirst().trimmed.filter { !"\"'".contains($0) })
    }
}
