// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Ingest
import LoadTest
import Settings
import WaymarkClient
import WaymarkLoad
import WebServer
import ZeroMQ

/// Storage and the query service as child processes, with their files in a temporary directory.
struct EmbeddedServices: Sendable {
    static let patience = Duration.seconds(30)

    let directory: String
    /// The endpoint of the query service.
    private(set) var endpoint = ""
    /// The HTTP interface; nil if it was not started.
    private(set) var web: HTTPOrigin?
    private(set) var processes: [ServiceProcess] = []

    /// - Parameters:
    ///   - isOnWeb: whether to start the HTTP interface, too.
    ///   - made: called with the directory as soon as it exists.
    /// - Returns: the services, once both are ready. They hold no landmarks.
    static func start(isOnWeb: Bool, _ made: @Sendable (String) -> Void) async throws -> EmbeddedServices {
        let storage = try ServiceProcess.program("waymark-storage")
        let query = try ServiceProcess.program("waymark-query")
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"]?.nilIfEmpty ?? "/tmp"
        guard let directory = UserFolder.temporary("\(temporary)/waymark-bench") else {
            throw Failure("embedded", "No directory can be created in \(temporary): set TMPDIR to another.")
        }
        made(directory)
        var services = EmbeddedServices(directory: directory)
        do {
            try await services.launch(storage, query, isOnWeb: isOnWeb)
            return services
        } catch {
            await services.stop()
            throw error
        }
    }

    private mutating func launch(_ storage: String, _ query: String, isOnWeb: Bool) async throws {
        // The services use TCP, like the bare bus that they are compared with.
        let loopback = "tcp://127.0.0.1:*"
        let settings = [("data", "\(directory)/data"), ("listen", loopback), ("changes", loopback)]
        let ready = try await launch(storage, settings).line("storage ready", within: Self.patience)
        let process = try launch(
            query, [("listen", loopback), ("storage", ready["listen"]?.text ?? "")],
            isOnWeb ? ["--web-listen", "127.0.0.1:0"] : [])
        endpoint = try await process.line("query listening", within: Self.patience)["listen"]?.text ?? ""
        _ = try await process.line("query ready", within: Self.patience)
        guard isOnWeb else { return }
        let address = try await process.line("web listening", within: Self.patience)["web"]?.text
        web = address.flatMap { ListenAddress($0) }.map { HTTPOrigin(host: $0.host, port: $0.port) }
    }

    private mutating func launch(
        _ program: String, _ settings: [(String, String)], _ flags: [String] = []
    ) throws -> ServiceProcess {
        let file = "\(directory)/\(PathText.name(of: program))"
        let text = settings.map { "\($0): \"\($1)\"\n" }.joined() + "log:\n  format: json\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(file).yaml"))
        let process = try ServiceProcess(program, ["--config", "\(file).yaml"] + flags, log: "\(file).log")
        processes.append(process)
        return process
    }

    func stop() async {
        for process in processes.reversed() { await process.stop() }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Adds generated landmarks.
    ///
    /// - Parameter tell: called with the number of landmarks added so far.
    func fill(_ count: Int, seed: UInt64, stop: LoadStop, tell: @escaping @Sendable (Int) -> Void) async throws {
        let rows = max(1, min(1_000, count))
        let test = ServiceTest(endpoint: endpoint, user: BenchService.nobody, timeout: 60_000_000_000) {
            [
                WeightedOperation(
                    IngestOperation(source: "generated", rows: rows, around: nil, seed: seed, run: "", of: count))
            ]
        }
        let done = Locked(0)
        let watch = LoadWatch(
            stop: stop,
            tell: { _, second in
                done.withLock { $0 += Int(second.done) * rows }
                tell(done.withLock { $0 })
            })
        let requests = (count + rows - 1) / rows
        let result = try await test.run(
            LoadShape(loop: .closed(window: 4), end: .count(requests), warmUp: 0, seed: seed), watch)
        guard result.figures.failures == 0 else {
            throw Failure(
                "embedded",
                "The landmarks could not be generated: \(result.figures.errors.keys.sorted().joined(separator: ", ")).")
        }
    }

    /// Adds a given data set.
    ///
    /// - Parameter tell: called with the number of rows added so far.
    func fill(_ data: IngestRun, stop: LoadStop, tell: @escaping @Sendable (Int) -> Void) async throws {
        try await ClientOptions(endpoint: endpoint, user: BenchService.nobody, timeout: .seconds(60)).withClient {
            client in
            let report = try await data.run { request in
                if stop.isAsked { throw CancellationError() }
                return try await client.send(request).1
            } progress: { done, _ in
                tell(done)
            }
            guard report.taken.added > 0 else {
                throw Failure("embedded", "Storage added no landmark of \(data.source): try waymark ingest to see why.")
            }
        }
    }

    /// Returns once the query service has all landmarks.
    func catchUp(_ stop: LoadStop) async throws {
        try await ClientOptions(endpoint: endpoint, user: BenchService.nobody).withClient { client in
            // Wait as long as there is progress, because figures for only some of the landmarks would be useless.
            var progress = FillProgress(patience: Self.patience)
            while !stop.isAsked {
                let status = try await client.status()
                let (rev, head) = (status.query?.rev ?? 0, status.storage?.head ?? 0)
                let searched = status.storage?.searchRev ?? 0
                if status.query?.isReady == true, rev >= head, searched >= head { break }
                guard progress.goesOn([rev, searched]) else {
                    throw Failure(
                        "embedded",
                        "The services stopped loading the landmarks: for \(Self.patience) the query service has been "
                            + "at revision \(rev) and the search at \(searched) of \(head). Check the memory and disk "
                            + "of this machine.")
                }
                // A service reports its progress only if asked, so ask again after a pause.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

/// Watches whether services that load landmarks still make progress.
struct FillProgress {
    private let patience: Duration
    private var reached: [UInt64] = []
    private var since: ContinuousClock.Instant

    init(patience: Duration, at now: ContinuousClock.Instant = .now) { (self.patience, since) = (patience, now) }

    /// - Parameter revisions: the revision that each service has reached.
    /// - Returns: false if no revision has changed for longer than the patience.
    mutating func goesOn(_ revisions: [UInt64], at now: ContinuousClock.Instant = .now) -> Bool {
        if revisions != reached { (reached, since) = (revisions, now) }
        return now - since < patience
    }
}
