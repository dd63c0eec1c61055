// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import QueryService
import StorageService
import ZeroMQ

/// The query service's keys of `up`: in the data directory, where storage finds them too.
enum UpAccess {
    /// - Parameter listen: the endpoint for requests.
    static func make(_ directory: String, listen: String) throws -> QueryAccess {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = StorageOptions.serviceKeyFile(in: directory)
        let file: KeyFile
        do {
            do throws(KeyFileError) { file = try KeyFile(path: path) } catch {
                guard case .missing = error else { throw error }
                file = KeyFile(keys: try CurveKeyPair.generate())
                try file.write(path, replacing: false)
            }
        } catch {
            throw Failure(.failed, "key_file", "\(error)")
        }
        // Storage listens on an ipc socket, which needs no key.
        return QueryAccess(
            keys: file.keys, storage: nil, signIn: QueryAccess.beside(listen, QueryAccess.signInOffset),
            door: QueryAccess.beside(listen, QueryAccess.doorOffset))
    }
}
