// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// A pair of keys in a file that only its owner may read, and what belongs to it:
///
///     # Waymark: a secret key. Whoever has it, is you.
///     secret rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7
///     public Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID
///     server …
///     name ann
public struct KeyFile: Sendable, Hashable {
    public var keys: CurveKeyPair
    /// The public key of the server that these keys are shown to.
    public var server: CurveKey?
    /// The account's name, when the keys were accepted.
    public var name: String?

    public init(keys: CurveKeyPair, server: CurveKey? = nil, name: String? = nil) {
        self.keys = keys
        self.server = server
        self.name = name
    }

    /// - Throws: ``KeyFileError``, also when others may read it.
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

    /// The file at a path; if there is none, one with new keys, which is written first.
    ///
    /// - Returns: whether it is new, too.
    public static func kept(in path: String, server: CurveKey? = nil) throws -> (file: KeyFile, isNew: Bool) {
        do throws(KeyFileError) { return (try KeyFile(path: path), false) } catch {
            guard case .missing = error else { throw error }
            let made = KeyFile(keys: try CurveKeyPair.generate(), server: server)
            try made.write(path, replacing: false)
            return (made, true)
        }
    }

    /// Writes it for its owner alone, in one step: a reader finds the old one or the new one.
    public func write(_ path: String, replacing: Bool) throws(KeyFileError) {
        var lines = [
            "# Waymark: a secret key. Whoever has it, is you.", "secret \(keys.secretKey.z85)",
            "public \(keys.publicKey.z85)",
        ]
        if let server { lines.append("server \(server.z85)") }
        if let name { lines.append("name \(name)") }
        try SecretFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), path, replacing: replacing)
    }
}
