// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
public import Logging
public import ServiceHost
import WaymarkProtocol
import WaymarkTransport
public import ZeroMQ

/// The storage service: one thread that owns its sockets and the one writer of the database.
///
/// Each turn receives what has arrived, applies the writes in one transaction, makes them durable with one flush, answers
/// them, and publishes the changes in the order of revisions. The next batch gathers meanwhile, in the socket or, if the
/// engine has a thread of its own, here: that is group commit without a timer. Reads leave the loop and return to it with their answer.
public actor StorageServer: HostedServer {
    let loop: EventLoop
    let context: Context
    let options: StorageOptions
    let logger: Logger
    let started = Monotonic.milliseconds
    let run: UUIDv7
    // The five that a start makes and a stop ends.
    var lane: WriterLane?
    var replies: Replies?
    var publisher: FeedPublisher?
    var waiting: WaitingReads?
    private var timers: [LoopTimer] = []

    var counters = StorageCounters()
    var backups = BackupShelf()
    var retention = LogRetention()
    var sweeping = LogRetention()
    var openFiles = OpenFilesWatch()
    var disk = DiskHealth()
    var admission: Admission
    var desk = AccountDesk()
    /// Storage's own keys; nil where accounts are not required.
    var own: CurveKeyPair?
    /// Says who may connect, if it is this server's alone.
    var ownHandler: ZAPHandler?
    /// The next batch.
    var pending = WriteBatch()
    /// Whether a batch is under way on a thread of its own.
    var isCommitting = false
    /// Whether requests wait in the socket, because the next batch is full.
    var isPaused = false
    /// Reads whose answers wait for the batch that is under way.
    var unsettled: [CheckedContinuation<Void, Never>] = []
    var isTended = false
    /// That of an engine with a thread of its own, which may have to wait for another storage.
    private nonisolated let remote = EngineRemote()
    /// For tests: makes the engine that works on the writer's thread, instead of the one in the options.
    var makeEngine: (@Sendable () throws(EngineError) -> any StorageEngine)?
    /// Why the service cannot go on.
    let failures: AsyncStream<EngineError>
    private let failing: AsyncStream<EngineError>.Continuation

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` if the process can have no further thread, or no further file descriptor.
    public init(_ options: StorageOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        self.options = options
        self.context = context
        self.logger = logger
        admission = Admission(reads: options.reads)
        (failures, failing) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
        loop = try EventLoop(name: "waymark-storage")
        var generator = UUIDv7Generator()
        run = generator.next(now: WallClock.milliseconds)
    }

    /// Opens the database and listens.
    ///
    /// - Returns: the endpoints, with the ports that were chosen where the options left them open.
    /// - Throws: an error whose description is one sentence that says what to do: the directory is in use, the port is
    ///   taken, …
    public func start() async throws -> (listen: String, changes: String) {
        let isSecured = options.access != nil
        try ListenRule.check(options.listen, insecure: options.isInsecure, secured: isSecured)
        try ListenRule.check(options.changes, insecure: options.isInsecure, secured: isSecured)
        let lane = try await openEngine()
        self.lane = lane
        try await openDoors(lane)
        disk = DiskHealth(probe: options.directory.map { DiskProbe(path: $0) })
        OpenFiles.raiseLimit()
        let connections = OpenFiles.connections(wanted: options.connections, sockets: 2)
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen, passedOn: true, connections: connections,
            versions: options.protocolVersions, security: security(options.listen, KeyDomain.storage))
        let publisher: FeedPublisher
        do throws(ZeroMQError) { publisher = try publish(at: options.changes, lane, connections) } catch {
            guard error.code == .addressInUse, options.mayMoveChanges, let any = Endpoint.anyPort(options.changes)
            else {
                throw error
            }
            publisher = try publish(at: any, lane, connections)
        }
        replies = Replies(server, logger)
        self.publisher = publisher
        // No more than may be read at once: a commit ends all waits.
        waiting = WaitingReads(
            loop: loop, limit: options.reads / 2, share: options.reads / 4, longest: options.longestWait
        ) { [weak self] changes, request, _ in
            self?.assumeIsolated { $0.answer(changes, afterWait: request) }
        }
        timers = [
            loop.schedule(every: Self.upkeepInterval, for: self) { $0.upkeep() },
            loop.schedule(every: Self.filesInterval, for: self) { $0.checkOpenFiles() },
        ]
        server.start(on: loop) { [weak self] in self?.assumeIsolated { _ = $0.drain() } }
        logger.info(
            "storage ready",
            metadata: [
                "listen": "\(server.endpoint)", "changes": "\(publisher.endpoint)", "announced": "\(announcedFeed)",
                "epoch": "\(lane.position.epoch)", "head": .stringConvertible(lane.position.rev),
            ])
        return (server.endpoint, publisher.endpoint)
    }

    private func publish(
        at endpoint: String, _ lane: WriterLane, _ connections: Int
    ) throws(ZeroMQError) -> FeedPublisher {
        try FeedPublisher(
            loop: loop, context: context, endpoint: endpoint, epoch: lane.position.epoch, run: run,
            head: lane.position.rev, floor: lane.floor, beacon: options.beacon, connections: connections,
            forms: options.feedForms, security: security(options.changes, KeyDomain.changes),
            owner: { [weak self] key in self?.assumeIsolated { $0.follower(key) } })
    }

    private func openEngine() async throws -> WriterLane {
        var tuning = EngineTuning()
        tuning.reserve = UInt64(max(0, options.diskReserve))
        tuning.backsUpBeforeUpgrade = options.backsUpBeforeUpgrade
        let (directory, run, logger, remote) = (options.directory, run, logger, remote)
        if let makeEngine { return try await openOnThread(makeEngine) }
        guard let server = options.server else {
            guard let directory else { return WriterLane(onLoop: try SQLiteEngine.inMemory(run: run, logger: logger)) }
            return WriterLane(
                onLoop: try SQLiteEngine(directory: directory, run: run, tuning: tuning, logger: logger))
        }
        return try await openOnThread { [tuning] () throws(EngineError) in
            try PostgreSQLEngine(
                server, directory: directory, run: run, tuning: tuning, remote: remote, logger: logger)
        }
    }

    private func openOnThread(
        _ body: @Sendable () throws(EngineError) -> any StorageEngine
    ) async throws -> WriterLane {
        let thread = try WriterThread(remote)
        do { return WriterLane(thread, try await thread.open(body)) } catch {
            await thread.close()
            throw error
        }
    }

    /// Ends the wait for another storage, if that is what ``start()`` does.
    public func abandonStart() {
        if lane == nil { remote.interrupt() }
    }

    public nonisolated var startProblem: String? { remote.condition.problem }

    /// The service ends, and whoever looks after it starts it again.
    func end(for error: EngineError) { failing.yield(error) }

    /// Waits until the service cannot go on.
    public func failure() async -> (any Error)? {
        for await error in failures { return error }
        return nil
    }

    /// Finishes what has arrived, refuses what arrives later, closes the database and ends the thread.
    public func stop() async {
        await finish()
        for timer in timers { timer.cancel() }
        replies?.server.close()
        publisher?.close()
        await lane?.close()
        (replies, publisher, waiting, lane, timers) = (nil, nil, nil, nil, [])
        backups = BackupShelf()
        desk.wake()
        for thread in desk.clerk.stop() { await thread.stop() }
        await ownHandler?.stop()
        await loop.stop()
    }
}
