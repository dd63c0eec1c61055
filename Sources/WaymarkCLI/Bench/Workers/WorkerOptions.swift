// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import Settings
import ZeroMQ

/// Options of load tests that can be divided among workers.
struct WorkerOptions: ParsableArguments {
    @Option(
        .endpoints,
        "Divide the load among these bench workers, with commas. Example: --workers tcp://a:7000,tcp://b:7000.")
    var workers: String?

    @Option(
        .file,
        "The key file for workers with --key, made if missing; or one for each. Example: --worker-key bench.key.")
    var workerKey: [String] = []

    var endpoints: [String] { workers.map { EndpointText.list($0) } ?? [] }

    func validate() throws {
        try refuse(if: workers == nil && !workerKey.isEmpty, "--worker-key is for workers: give --workers too.")
        try refuse(
            if: workerKey.count > 1 && workerKey.count != endpoints.count,
            "--worker-key names one file for all workers, or one for each, in their order.")
    }

    /// Returns the security of the connection to a worker; nil for none.
    ///
    /// - Throws: `KeyFileError`; a failure if the file does not name the worker's key.
    func security(_ place: Int) throws -> SocketSecurity? {
        guard let path = workerKey.count > 1 ? workerKey[place] : workerKey.first else { return nil }
        let file = try KeyFile.kept(in: path).file
        guard let server = file.server else {
            throw Failure(
                "key_file",
                "\(path) names no worker: add the line \"server KEY\" with the key that the worker prints. Its --admit "
                    + "file needs the line \"public \(file.keys.publicKey.z85)\".")
        }
        return .curveClient(serverKey: server, keys: file.keys)
    }
}
