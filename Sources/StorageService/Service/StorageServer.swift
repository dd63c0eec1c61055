// SPDX-License-Identifier: Apache-2.0

import Failpoints
import FoundationEssentials
import Landmarks
public import Logging
public import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
import WaymarkTransport
public import ZeroMQ

/// The storage service: one thread that owns its sockets and the one writer of the database.
///
/// Drain, apply, commit, answer, publish: what has arrived is taken together, applied in one transaction, made durable
/// with one flush; then everybody is answered and the changes are published in revision order. While the flush is
/// waited for, the next batch gathers in the socket: group commit without a timer. Reads leave the loop and come back.
public actor StorageServer: HostedServer {
    /// Reads beyond ``StorageOptions/reads`` for those of ``reserved``: searches neither keep a query service from
    /// starting or repairing its feed, nor make storage look as if it were away.
    private static let reservedReads = 64
    private static let reserved: Set<RequestKind> = [.snapshot, .changes, .status]

    let loop: EventLoop
    let context: Context
    let options: StorageOptions
    let logger: Logger
    let started = Monotonic.milliseconds
    let run: UUIDv7
    var engine: (any StorageEngine)?
    var server: RequestServer?
    var publisher: FeedPublisher?
    var counters = StorageCounters()
    var backups = BackupShelf()
    let evenClock = EvenClock(wall: WallClock.milliseconds, monotonic: Monotonic.milliseconds)
    /// What the log was told last.
    var lastCondition = EngineCondition.writable.name
    var compactionFailure: EngineError?
    var openFiles = OpenFilesWatch()
    private var upkeepTimer: LoopTimer?
    var readsUnderWay = 0
    var healthQuestions = 0
    /// Nil in memory.
    var probe: DiskProbe?
    var commitTrouble: CommitTrouble?
    /// Whether the end has come so far that what arrives is refused.
    var isRefusing = false
    private var requestLog: RequestLog
    /// The last batch, for its room.
    private var emptied = WriteBatch()
    private var filesTimer: LoopTimer?
    /// Keeps the actor until it is closed: its sockets have to end on its own thread, wherever its last owner lets go.
    /// (An `isolated deinit` would do the same; Swift 6.3 cannot compile importers of one in release builds.)
    private var itself: StorageServer?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `ZeroMQError` when the process cannot have one more thread, or has no file descriptor left for it.
    public init(_ options: StorageOptions, context: Context, logger: Logger) throws(ZeroMQError) {
        self.options = options
        self.context = context
        self.logger = logger
        requestLog = RequestLog(logger)
        loop = try EventLoop(name: "waymark-storage")
        var generator = UUIDv7Generator()
        run = generator.next(now: WallClock.milliseconds)
    }

    /// Opens the database and listens.
    ///
    /// - Returns: the endpoints, with the ports that were chosen where they were left open.
    /// - Throws: one sentence that says what to do: the directory is in use, the port is taken, …
    public func start() throws -> (listen: String, changes: String) {
        itself = self
        try ListenRule.check(options.listen, insecure: options.isInsecure)
        try ListenRule.check(options.changes, insecure: options.isInsecure)
        var tuning = EngineTuning()
        tuning.reserve = UInt64(max(0, options.diskReserve))
        tuning.backsUpBeforeUpgrade = options.backsUpBeforeUpgrade
        let engine =
            if let directory = options.directory {
                try SQLiteEngine(directory: directory, run: run, tuning: tuning, logger: logger)
            } else {
                try SQLiteEngine.inMemory(run: run, logger: logger)
            }
        self.engine = engine
        probe = options.directory.map { DiskProbe(path: $0) }
        OpenFiles.raiseLimit()
        let connections = OpenFiles.connections(wanted: options.connections, sockets: 2)
        let server = try RequestServer(
            loop: loop, context: context, endpoint: options.listen, passedOn: true, connections: connections,
            versions: options.protocolVersions)
        let publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: options.changes, epoch: engine.position.epoch, run: run,
            head: engine.position.rev, floor: engine.floor, beacon: options.beacon, connections: connections)
        self.server = server
        self.publisher = publisher
        upkeepTimer = loop.schedule(every: Self.upkeepPause, for: self) { $0.upkeep() }
        filesTimer = loop.schedule(every: .seconds(10), for: self) { $0.lookAtFiles() }
        server.start(on: loop) { [weak self] in self?.assumeIsolated { _ = $0.drain() } }
        logger.info(
            "storage ready",
            metadata: [
                "listen": "\(server.endpoint)", "changes": "\(publisher.endpoint)",
                "epoch": "\(engine.position.epoch)", "head": "\(engine.position.rev)",
            ])
        return (server.endpoint, publisher.endpoint)
    }

    /// Finishes what has arrived, refuses what comes after, closes the database and ends the thread.
    public func stop() async {
        await finish()
        shut()
        await loop.stop()
    }

    private func shut() {
        upkeepTimer?.cancel()
        filesTimer?.cancel()
        server?.close()
        publisher?.close()
        engine?.close()
        (server, publisher, engine, upkeepTimer, filesTimer) = (nil, nil, nil, nil, nil)
        backups = BackupShelf()
        itself = nil
    }

    /// - Returns: how many messages there were.
    @discardableResult
    func drain() -> UInt64 {
        guard let server else { return 0 }
        let before = server.counters.received
        var batch = WriteBatch()
        swap(&batch, &emptied)
        do {
            try server.receive(count: options.batchCommands, bytes: options.batchBytes) { take($0, into: &batch) }
        } catch {
            logger.error("cannot receive", metadata: ["error": "\(error)"])
        }
        if !batch.requests.isEmpty { commit(batch) }
        batch.removeAll()
        swap(&batch, &emptied)
        return server.counters.received - before
    }

    private func take(_ request: IncomingRequest, into batch: inout WriteBatch) {
        if request.address.kind == .add, !isRefusing, !requestLog.isOn, !request.header.hasAtLeast,
            let fields = request.body.withUnsafeBytes({ AddFields(request: $0) })
        {
            do throws(ServiceError) {
                batch.append(WriteRequest(request, try Command(fields)), request.address)
            } catch {
                refuse(request.address, error)
            }
            return
        }
        guard let wire = try? WireRequest(serializedBytes: request.body) else {
            refuse(request.address, .badRequest)
            return
        }
        guard let command = wire.command else {
            refuse(request.address, .unknownCommand)
            return
        }
        requestLog.begin(request.address.key, command)
        if case .health = command {
            answerHealth(request.address)
            return
        }
        guard !isRefusing else {
            refuse(request.address, EngineError.closed.serviceError)
            return
        }
        if let refusal = positionRefusal(request.header) {
            refuse(request.address, refusal)
            return
        }
        guard !command.kind.isWrite else {
            do throws(ServiceError) {
                batch.append(WriteRequest(request, try Command(wire)), request.address)
            } catch {
                refuse(request.address, error)
            }
            return
        }
        if case .hello(let hello) = command {
            answer(request.address, welcome(hello, spoken: request.address.version).encoded)
            return
        }
        let reserved = Self.reserved.contains(request.address.kind) ? Self.reservedReads : 0
        guard readsUnderWay < options.reads + reserved else {
            refuse(request.address, ServiceError(.busy, "Too many reads at once: send it again.", retryAfter: 100))
            return
        }
        readsUnderWay += 1
        let (address, header) = (request.address, request.header)
        // What is read from now on has at least this.
        let position = engine?.position
        Task {
            do throws(ServiceError) {
                answer(address, try await read(command, header), at: position)
            } catch {
                refuse(address, error)
            }
            readsUnderWay -= 1
        }
    }

    private func commit(_ batch: WriteBatch) {
        guard let engine, let publisher else { return }
        let begun = ContinuousClock.now
        do throws(EngineError) {
            let applied = try engine.apply(batch.requests)
            counters.commits += 1
            counters.commands += UInt64(batch.requests.count)
            counters.changes += UInt64(applied.changes.count)
            counters.lastCommit = ContinuousClock.now - begun
            commitTrouble = nil
            counters.commitTimes.add(UInt64(counters.lastCommit / .nanoseconds(1)))
            counters.batches.add(UInt64(batch.requests.count))
            Failpoint.hit(.afterCommit)
            answer(batch.addresses, applied.replies)
            Failpoint.hit(.afterAnswer)
            publisher.together {
                for change in applied.changes {
                    publisher.publish(change)
                    if Failpoint.isArmed(.afterPublish) { publisher.flush() }
                    Failpoint.hit(.afterPublish)
                }
            }
        } catch {
            counters.failedCommits += 1
            commitTrouble = CommitTrouble(error) ?? commitTrouble
            // A full disk is told once, when it begins.
            logger.log(
                level: error == .full ? .debug : .error, "commit failed",
                metadata: [
                    "error": "\(error)", "commands": "\(batch.requests.count)", "requests": "\(batch.firstKeys)",
                ])
            noticeCondition()
            for address in batch.addresses { refuse(address, error.serviceError) }
        }
    }

    /// Why nothing can be known from the position that the request asks for; nil when it can.
    private func positionRefusal(_ header: RequestHeader) -> ServiceError? {
        guard header.hasAtLeast, let here = engine?.position else { return nil }
        guard let wanted = try? Position(header.atLeast), wanted.epoch == here.epoch else { return .otherEpoch }
        guard wanted.rev <= here.rev else {
            return EngineError.futureRevision(floor: engine?.floor ?? 1, head: here.rev).serviceError
        }
        return nil
    }

    /// Answers of one commit leave together.
    private func answer(_ addresses: [ReplyAddress], _ replies: [[UInt8]]) {
        guard let server else { return }
        do throws(ZeroMQError) {
            try server.together {
                for (address, reply) in zip(addresses, replies) { answer(address, reply) }
            }
        } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)"])
        }
    }

    func answer(_ address: ReplyAddress, _ body: [UInt8], at position: Position? = nil) {
        requestLog.end(address.key, RequestLog.result(of: body))
        send(address, at: position) { (server, header) throws(ZeroMQError) in try server.answer(address, header, body) }
    }

    func refuse(_ address: ReplyAddress, _ error: ServiceError) {
        requestLog.end(address.key, error.code.name)
        send(address) { (server, header) throws(ZeroMQError) in try server.refuse(address, header, error) }
    }

    private func send(
        _ address: ReplyAddress, at position: Position? = nil,
        _ body: (RequestServer, ReplyHeader) throws(ZeroMQError) -> Void
    ) {
        guard let server, let engine else { return }
        do { try body(server, ReplyHeader(position: position ?? engine.position)) } catch {
            logger.error("cannot answer", metadata: ["error": "\(error)", "request": "\(address.key.text)"])
        }
    }
}

/// Writes that arrived together, and who waits for their answers.
struct WriteBatch {
    private(set) var requests: [WriteRequest] = []
    private(set) var addresses: [ReplyAddress] = []

    mutating func append(_ request: WriteRequest, _ address: ReplyAddress) {
        requests.append(request)
        addresses.append(address)
    }

    /// Keeps the room, as far as an ordinary batch needs it.
    mutating func removeAll() {
        let isOrdinary = requests.count <= Self.ordinary
        requests.removeAll(keepingCapacity: isOrdinary)
        addresses.removeAll(keepingCapacity: isOrdinary)
    }

    private static let ordinary = 1_024

    /// For the log.
    var firstKeys: String {
        let keys = addresses.prefix(8).map(\.key.text).joined(separator: " ")
        return addresses.count > 8 ? keys + " …" : keys
    }
}

/// What storage counts beside its sockets.
struct StorageCounters {
    var commits: UInt64 = 0
    var commands: UInt64 = 0
    var changes: UInt64 = 0
    var failedCommits: UInt64 = 0
    var lastCommit = Duration.zero
    /// Nanoseconds from the first command of a batch until all of it was durable.
    var commitTimes = Distribution.times
    /// Commands that became durable together.
    var batches = Distribution.sizes
    /// Changes that the log no longer keeps.
    var forgotten: UInt64 = 0
    var backups: UInt64 = 0
}

extension WriteRequest {
    init(_ request: IncomingRequest, _ command: Command) {
        self.init(
            client: request.address.key.client, sequence: request.address.key.sequence,
            digest: RequestDigest(of: request.body, user: request.header.user), user: request.header.user,
            now: WallClock.milliseconds, command: command)
    }
}

extension ServiceError {
    static let badRequest = ServiceError(.badFrame, "The request cannot be read: it is no Request message.")
    static let unknownCommand = ServiceError(
        .unknownCommand, "Storage does not know this command: send it to a query service, or bring both to one release."
    )
}
