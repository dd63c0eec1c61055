// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import FoundationEssentials
import ServiceHost
import Settings
import WaymarkTransport
import ZeroMQ

struct WorkerBench: LocalCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Send a part of the load of another machine's load test.",
        discussion: """
            waymark bench … --workers divides its load among such programs. A worker runs one test at a time, and \
            connects to no endpoint but those of --target, spelled as there. An address that other machines can reach \
            needs --key and --admit: then only the owners of the admitted keys can give orders.

              waymark bench worker --listen tcp://127.0.0.1:7000 --target tcp://127.0.0.1:5555
            """)

    @Option(.listening, "The endpoint for orders. Example: --listen tcp://127.0.0.1:7000.")
    var listen: String

    @Option(
        .endpoint,
        "An endpoint that tests may be sent to; repeat it for several. Example: --target tcp://10.0.0.9:5555.")
    var target: [String] = []

    @Option(.file, "The key file of this worker, made if there is none. Example: --key worker.key.")
    var key: String?

    @Option(.file, "A file with the public keys of those who may give orders, one on a line. Example: --admit a.keys.")
    var admit: String?

    @OptionGroup var printing: OutputOptions

    private static let domain = "bench-worker"

    func validate() throws {
        try refuse(if: target.isEmpty, "A worker sends only where --target allows it: name an endpoint.")
        try refuse(if: (key == nil) != (admit == nil), "--key and --admit belong together: give both.")
        try refuse(
            if: key == nil && !ListenRule.isLocal(listen),
            "Other machines can reach \(listen), and could use this worker against others: give --key and --admit, or "
                + "listen on 127.0.0.1, [::1] or ipc.")
    }

    func run(_ output: Output, _ surroundings: Surroundings) async throws {
        if surroundings.ownsProcess { OpenFiles.raiseLimit() }
        let context = try Context()
        var options = SocketOptions.service
        options.maxMessageSize = WorkerWords.mostBytes
        options.ipv6 = EndpointFamily.isIPv6(listen)
        var handler: ZAPHandler?
        if let key, let admit {
            let keys = try KeyFile.kept(in: key).file.keys
            var list = ZAPAllowList()
            for own in try Self.keys(in: admit) { list.admit(own, as: "coordinator", to: Self.domain) }
            handler = try await ZAPHandler(context: context, admitting: list)
            options.security = .curveServer(secretKey: keys.secretKey, domain: Self.domain)
            try output.line("The public key is \(keys.publicKey.z85)")
        }
        let settings = options
        try await withEventLoop("worker") { loop in
            try await BenchWorker(Set(target), output, on: loop).serve(listen, context, settings)
        }
        await handler?.stop()
    }

    /// Reads the public keys of a file: any line may be one, alone or after `public`.
    static func keys(in path: String) throws(Failure) -> [CurveKey] {
        let text = String(decoding: BoundedFile.read(path, upTo: 65_536) ?? Data(), as: UTF8.self)
        let keys = text.split(whereSeparator: \.isNewline).compactMap {
            CurveKeyText.find(["public", "public-key"], in: String($0))
        }
        if keys.isEmpty { throw Failure("key_file", "\(path) admits nobody: write a public key on each line.") }
        return keys
    }
}

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
