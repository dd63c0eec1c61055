// SPDX-License-Identifier: Apache-2.0

import Accounts
import QueryService
import StorageService
import WaymarkTransport
import ZeroMQ

/// The query service's keys of `up`: in the data directory, where storage finds them too.
enum UpAccess {
    /// - Parameter listen: the endpoint for requests.
    static func make(_ directory: String, listen: String) throws -> QueryAccess {
        try UserFolder.make(directory)
        let (storage, query): (CurveKeyPair, CurveKeyPair)
        do {
            storage = try keys(StorageOptions.keyFile(in: directory))
            query = try keys(StorageOptions.serviceKeyFile(in: directory))
        } catch {
            throw Failure(.failed, "key_file", "\(error)")
        }
        return QueryAccess(
            keys: query, storage: storage.publicKey, signIn: Endpoint.beside(listen, QueryAccess.signInOffset),
            door: Endpoint.beside(listen, QueryAccess.doorOffset))
    }

    /// Those in a file; new ones if there is none.
    private static func keys(_ path: String) throws -> CurveKeyPair {
        do throws(KeyFileError) { return try KeyFile(path: path).keys } catch {
            guard case .missing = error else { throw error }
            let made = KeyFile(keys: try CurveKeyPair.generate())
            try made.write(path, replacing: false)
            return made.keys
        }
    }
}
