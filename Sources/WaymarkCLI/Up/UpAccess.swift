// SPDX-License-Identifier: Apache-2.0

import Accounts
import QueryService
import StorageService
import WaymarkTransport

/// Makes the query service's keys for `up` in the data directory, where storage finds them, too.
enum UpAccess {
    /// - Parameter listen: the endpoint for requests.
    static func make(_ directory: String, listen: String) throws -> QueryAccess {
        let storage = try KeyFile.kept(in: StorageOptions.keyFile(in: directory)).file.keys
        let query = try KeyFile.kept(in: StorageOptions.serviceKeyFile(in: directory)).file.keys
        return QueryAccess(
            keys: query, storage: storage.publicKey, signIn: Endpoint.beside(listen, QueryAccess.signInOffset),
            serverKeyEndpoint: Endpoint.beside(listen, QueryAccess.serverKeyOffset))
    }
}
