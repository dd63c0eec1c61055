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
/// them, and publishes the changes in the order of revisions. The next batch gathers in the socket during the flush: that
/// is group commit without a timer. Reads leave the loop and return to it with their answer.
public actor StorageServer: HostedServer {
    let loop: EventLoop
    let context: Context
    let options: StorageOptions
    let logger: Logger
    let started = Monotonic.milliseconds
    let run: UUIDv7
    // The four that a start makes and a stop ends.
    var engine: (any StorageEngine)?
    var replies: Replies?
    var publisher: FeedPublisher?
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
    /// An empty batch. Its buffers are reused so that their capacity is kept.
    var spare = WriteBatch()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` if the process can have no further thread, or no further file descriptor.
    public init(_ options: StorageOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        self.options = options
        self.context = context
        self.logger = logger
        admission = Admission(reads: options.reads)
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
        let engine = try openEngine()
        self.engine = engine
        try await openDoors(engine)
        disk = DiskHealth(probe: options.directory.map { DiskProbe(path: $0) })
        OpenFiles.raiseLimit()
        let connections = OpenFiles.connections(wanted: options.connections, sockets: 2)
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen, passedOn: true, connections: connections,
            versions: options.protocolVersions, security: security(options.listen, KeyDomain.storage))
        let publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: options.changes, epoch: engine.position.epoch, run: run,
            head: engine.position.rev, floor: engine.floor, beacon: options.beacon, connections: connections,
            forms: options.feedForms, security: security(options.changes, KeyDomain.changes),
            mayFollow: { [weak self] key in self?.assumeIsolated { $0.mayFollow(key) } ?? false })
        replies = Replies(server, logger)
        self.publisher = publisher
        timers = [
            loop.schedule(every: Self.upkeepInterval, for: self) { $0.upkeep() },
            loop.schedule(every: Self.filesInterval, for: self) { $0.checkOpenFiles() },
        ]
        server.start(on: loop) { [weak self] in self?.assumeIsolated { _ = $0.drain() } }
        logger.info(
            "storage ready",
            metadata: [
                "listen": "\(server.endpoint)", "changes": "\(publisher.endpoint)",
                "epoch": "\(engine.position.epoch)", "head": "\(engine.position.rev)",
            ])
        return (server.endpoint, publisher.endpoint)
    }

    private func openEngine() throws -> any StorageEngine {
        guard let directory = options.directory else { return try SQLiteEngine.inMemory(run: run, logger: logger) }
        var tuning = EngineTuning()
        tuning.reserve = UInt64(max(0, options.diskReserve))
        tuning.backsUpBeforeUpgrade = options.backsUpBeforeUpgrade
        return try SQLiteEngine(directory: directory, run: run, tuning: tuning, logger: logger)
    }

    /// Finishes what has arrived, refuses what arrives later, closes the database and ends the thread.
    public func stop() async {
        await finish()
        for timer in timers { timer.cancel() }
        replies?.server.close()
        publisher?.close()
        engine?.close()
        (replies, publisher, engine, timers) = (nil, nil, nil, [])
        backups = BackupShelf()
        desk.wake()
        for thread in desk.clerk.stop() { await thread.stop() }
        await ownHandler?.stop()
        await loop.stop()
    }
}
