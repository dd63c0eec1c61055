// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A pair of keys in a file that only its owner may read, together with the server and the account of the keys:
///
///     # Waymark: a secret key. Whoever has this file can act as you.
///     secret rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7
///     public Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID
///     server …
///     name ann
public struct KeyFile: Sendable, Hashable {
    public var keys: CurveKeyPair
    /// The public key of the server for which the keys are used.
    public var server: CurveKey?
    /// The name of the account; nil until the server has accepted the keys.
    public var name: String?

    public init(keys: CurveKeyPair, server: CurveKey? = nil, name: String? = nil) {
        (self.keys, self.server, self.name) = (keys, server, name)
    }

    /// Reads a file.
    ///
    /// - Throws: ``KeyFileError``, for example if other users may read the file.
    public init(path: String) throws(KeyFileError) {
        let lines = String(decoding: try SecretFile.read(path), as: UTF8.self).split(whereSeparator: \.isNewline)
        var values: [Substring: Substring] = [:]
        for line in lines where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { throw .malformed(path: path) }
            values[words[0]] = words[1]
        }
        func key(_ name: Substring) throws(KeyFileError) -> CurveKey? {
            guard let text = values[name] else { return nil }
            guard let key = CurveKey(z85: String(text)) else { throw .malformed(path: path) }
            return key
        }
        guard let secret = try key("secret"), let pair = try? CurveKeyPair(secretKey: secret) else {
            throw .malformed(path: path)
        }
        self.init(keys: pair, server: try key("server"), name: values["name"].map(String.init))
    }

    /// Reads the file at a path. If there is no file, writes one with new keys.
    ///
    /// - Returns: the file, and whether it is new.
    public static func kept(in path: String, server: CurveKey? = nil) throws -> (file: KeyFile, isNew: Bool) {
        do throws(KeyFileError) { return (try KeyFile(path: path), false) } catch {
            guard case .missing = error else { throw error }
            let made = KeyFile(keys: try CurveKeyPair.generate(), server: server)
            try made.write(path, replacing: false)
            return (made, true)
        }
    }

    /// Writes the file so that only its owner can read it. Readers see either the old or the new content, never a part.
    public func write(_ path: String, replacing: Bool) throws(KeyFileError) {
        var lines = [
            "# Waymark: a secret key. Whoever has this file can act as you.", "secret \(keys.secretKey.z85)",
            "public \(keys.publicKey.z85)",
        ]
        if let server { lines.append("server \(server.z85)") }
        if let name { lines.append("name \(name)") }
        try SecretFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), path, replacing: replacing)
    }
}
