// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Settings
import WaymarkClient
import WaymarkProtocol

/// The keys of a person, in one file for each service: `waymark/keys/HOST_PORT.key` in the XDG configuration folder.
/// The file's `server` line holds the public key that the service showed when the person first connected to it.
struct Credentials {
    /// The path in `WAYMARK_KEY_FILE`, or else of the endpoint's own file. Nil if no folder for the file is known.
    let path: String?

    init(_ endpoint: String, _ surroundings: Surroundings) {
        path =
            surroundings.variable("WAYMARK_KEY_FILE")
            ?? Preferences(environment: surroundings.environment).path.map { config in
                "\(PathText.folder(of: config))/keys/\(Self.fileName(endpoint))"
            }
    }

    /// Takes the credentials of the first endpoint with a key file; otherwise those of the first endpoint. All
    /// endpoints must belong to one service, so they know the same accounts and have the same server key.
    init(_ endpoints: [String], _ surroundings: Surroundings) {
        let all = endpoints.map { Credentials($0, surroundings) }
        self =
            all.first { $0.path.map { FileManager.default.fileExists(atPath: $0) } ?? false }
            ?? all.first ?? Credentials(WaymarkProtocol.defaultQueryEndpoint, surroundings)
    }

    /// Reads the key file; nil if there is none.
    ///
    /// - Throws: a failure if the keys cannot be used, for example because other users may read the file.
    func read() throws -> KeyFile? {
        guard let path else { return nil }
        do throws(KeyFileError) { return try KeyFile(path: path) } catch .missing { return nil }
    }

    func write(_ file: KeyFile) throws {
        let path = try path.or(
            Failure("config", "Keys cannot be kept without a folder: set HOME or XDG_CONFIG_HOME."))
        do { try UserFolder.make(PathText.folder(of: path)) } catch {
            throw Failure("key_file", "\(path) cannot be written: check the permissions of its folder.")
        }
        try file.write(path, replacing: true)
    }

    func remove() {
        if let path { SecretFile.remove(path) }
    }

    /// Returns the keys for an encrypted connection; nil if nobody has signed in at this endpoint.
    func clientKeys() throws -> (ClientKeys, name: String?)? {
        guard let file = try read(), let server = file.server else { return nil }
        return (ClientKeys(own: file.keys, server: server), file.name)
    }

    /// Returns the name of an endpoint's key file: `127.0.0.1_7420.key` for `tcp://127.0.0.1:7420`.
    static func fileName(_ endpoint: String) -> String {
        let plain = endpoint.hasPrefix("tcp://") ? String(endpoint.dropFirst(6)) : endpoint
        // An underscore stands for a colon, so it is encoded itself.
        let encoded = plain.percentEncoded.replacing("_", with: "%5F").replacing("~", with: "%7E")
        return encoded.replacing("%3A", with: "_") + ".key"
    }
}
