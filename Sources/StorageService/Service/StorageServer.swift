// SPDX-License-Identifier: Apache-2.0

import Accounts
import ChangeFeed
import EngineParts
import FoundationEssentials
import Landmarks
public import Logging
public import ServiceHost
import StorageOnPostgreSQL
import StorageOnSQLite
import WaymarkProtocol
import WaymarkTransport
public import ZeroMQ

/// The storage service. One thread owns its sockets and the single writer of the database.
///
/// Each round receives the requests that have arrived, applies the writes in one transaction, makes them durable with
/// one flush to the disk, answers them, and publishes the changes in the order of revisions. Meanwhile the next batch
/// gathers in the socket, or in this process if the engine has a thread of its own. This is group commit without a
/// timer. Reads run outside the event loop, and their answers return to it.
///
/// The actor makes, starts and stops the components, and passes each request to the component that handles it.
public actor StorageServer: HostedServer {
    let loop: EventLoop
    let context: Context
    let options: StorageOptions
    let logger: Logger
    let started = Monotonic.milliseconds
    let run: UUIDv7
    /// The components; nil if the service does not run.
    private(set) var running: RunningStorage?
    private var timers: [LoopTimer] = []
    var openFiles = OpenFilesWatch()
    /// Shows the condition of the engine, which runs on a thread of its own, and interrupts its waits: for another storage
    /// to end, or for a server that is unreachable.
    private nonisolated let control = EngineControl()
    /// A test's replacement for the function that makes the engine on the writer's thread.
    var makeEngine: (@Sendable () throws(EngineError) -> any StorageEngine)?
    /// Errors after which the service cannot go on.
    private let failures = AsyncStream.makeStream(of: EngineError.self, bufferingPolicy: .bufferingOldest(1))

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` if the process can get no more threads or file descriptors.
    public init(_ options: StorageOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        (self.options, self.context, self.logger) = (options, context, logger)
        loop = try EventLoop(name: "waymark-storage")
        run = UUIDv7.new()
    }

    /// Opens the database and starts to listen.
    ///
    /// - Returns: the endpoints, with the chosen ports where the options left them open.
    /// - Throws: an error whose description is one sentence that says what to do, for example if the directory is in
    ///   use or the port is taken.
    public func start() async throws -> (listen: String, changes: String) {
        for endpoint in [options.listen, options.changes] {
            try ListenRule.check(endpoint, insecure: options.isInsecure, secured: options.access != nil)
        }
        let executor = try await openEngine()
        let parts: RunningStorage
        do {
            let gate = try await StorageGate.open(options, run: run, executor, context: context, logger: logger)
            OpenFiles.raiseLimit()
            do { parts = try build(executor, gate) } catch {
                await gate.close()
                throw error
            }
        } catch {
            await executor.close()
            throw error
        }
        running = parts
        timers = [
            loop.schedule(every: Self.upkeepInterval, for: self) { $0.upkeep() },
            loop.schedule(every: Self.filesInterval, for: self) { $0.checkOpenFiles() },
        ]
        receive()
        let (listen, changes) = (parts.server.endpoint, parts.commits.publisher.endpoint)
        logger.info(
            "storage ready",
            metadata: [
                "listen": "\(listen)", "changes": "\(changes)", "announced": "\(announcedFeed)",
                "epoch": "\(executor.position.epoch)", "head": .stringConvertible(executor.position.rev),
            ])
        return (listen, changes)
    }

    /// Starts to receive requests.
    func receive() {
        running?.server.start(on: loop) { [weak self] in self?.assumeIsolated { _ = $0.drain() } }
    }

    private func build(_ executor: EngineExecutor, _ gate: StorageGate) throws -> RunningStorage {
        let home = Home(loop: loop, context: context, actor: self, logger: logger)
        let connections = OpenFiles.connections(
            wanted: options.connections, sockets: 2, besideWeb: options.isBesideWeb)
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen, passedOn: true,
            versions: options.protocolVersions,
            rule: ConnectionRule(most: connections, security: gate.security(options.listen, KeyDomain.storage)))
        let publisher: FeedPublisher
        do throws(ZeroMQError) { publisher = try publish(at: options.changes, executor, gate, connections) } catch {
            guard error.code == .addressInUse, options.mayMoveChanges, let any = Endpoint.anyPort(options.changes)
            else {
                server.close()
                throw error
            }
            publisher = try publish(at: any, executor, gate, connections)
        }
        let replies = Replies(server, logger, undecided: EngineError.undecided.serviceError)
        replies.currentHeader = { ReplyHeader(position: executor.position) }
        // Fewer reads may wait than may be in progress, because one commit can end all waits at once.
        let waiting = WaitingReads(
            loop: loop, limit: options.reads / 2, share: options.reads / 4, longest: options.longestWait
        ) { [weak self] changes, request, _ in
            self?.assumeIsolated { $0.answer(changes, afterWait: request) }
        }
        let commits = CommitLoop(
            executor, CommitMachine(mostCommands: options.batchCommands, mostBytes: options.batchBytes), home: home,
            replies: replies, publisher: publisher, waiting: waiting,
            disk: DiskHealth(probe: options.directory.map { DiskProbe(path: $0) }))
        let handlers = ReadHandlers(
            home: home, replies: replies, commits: commits, admission: Admission(reads: options.reads))
        let accounts = AccountService(
            run: run, home: home, commits: commits, replies: replies, gate: gate, handlers: handlers,
            isOpen: options.access?.isOpen == true)
        let upkeep = LogUpkeep(options, run: run, home: home, commits: commits, handlers) { [weak self] in
            self?.assumeIsolated { _ = $0.drain() }
        } end: { [failures] in
            failures.continuation.yield($0)
        }
        commits.events = CommitLoop.Events(
            accounts: { [weak accounts] in accounts?.changed($0) },
            receive: { [weak self] in
                self?.assumeIsolated {
                    $0.receive()
                    $0.drain()
                }
            }, end: { [failures] in failures.continuation.yield($0) })
        _ = StorageReads(run: run, executor: executor, handlers)
        let backups = Backups(home: home, copier: executor.copier, handlers)
        weak let storage = self
        handlers.on(.status) { (_, _) throws(ServiceError) in
            guard let storage else { throw EngineError.closed.serviceError }
            return try await storage.status()
        }
        return RunningStorage(
            server: server, replies: replies, commits: commits, gate: gate, handlers: handlers, accounts: accounts,
            upkeep: upkeep, backups: backups)
    }

    private func publish(
        at endpoint: String, _ executor: EngineExecutor, _ gate: StorageGate, _ connections: Int
    ) throws(ZeroMQError) -> FeedPublisher {
        try FeedPublisher(
            loop: loop, context: context, endpoint: endpoint,
            numbering: FeedNumbering(
                epoch: executor.position.epoch, run: run, head: executor.position.rev, floor: executor.floor),
            beacon: options.beacon,
            rule: ConnectionRule(most: connections, security: gate.security(options.changes, KeyDomain.changes)),
            owner: { key in gate.follower(key) })
    }

    private func openEngine() async throws -> EngineExecutor {
        var tuning = EngineTuning()
        tuning.reserve = UInt64(max(0, options.diskReserve))
        tuning.backsUpBeforeUpgrade = options.backsUpBeforeUpgrade
        let (directory, run, logger, control) = (options.directory, run, logger, control)
        if let makeEngine { return try await openOnThread(makeEngine) }
        guard let server = options.server else {
            guard let directory else {
                return EngineExecutor(onLoop: try SQLiteEngine.inMemory(run: run, logger: logger))
            }
            return EngineExecutor(
                onLoop: try SQLiteEngine(directory: directory, run: run, tuning: tuning, logger: logger))
        }
        return try await openOnThread { [tuning] () throws(EngineError) in
            try PostgreSQLEngine(
                server, directory: directory, run: run, tuning: tuning, control: control, logger: logger)
        }
    }

    private func openOnThread(
        _ body: @Sendable () throws(EngineError) -> any StorageEngine
    ) async throws -> EngineExecutor {
        let thread = try WriterThread(control)
        do { return EngineExecutor(thread, try await thread.open(body)) } catch {
            await thread.close()
            throw error
        }
    }

    /// Interrupts ``start()`` if it waits for another storage to end.
    public func abandonStart() {
        if running == nil { control.interrupt() }
    }

    public nonisolated var startProblem: String? { control.condition.problem }

    /// Waits until an error occurs after which the service cannot go on, and returns the error.
    public func failure() async -> (any Error)? {
        for await error in failures.stream { return error }
        return nil
    }

    /// Handles the requests that have arrived, refuses later requests, closes the database and ends the thread.
    public func stop() async {
        await finish()
        for timer in timers { timer.cancel() }
        timers = []
        let parts = running
        running = nil
        await parts?.close()
        await loop.stop()
    }
}
