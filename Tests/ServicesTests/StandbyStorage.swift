// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// The database that several storages share: the history, the answers that were given, and whose turn it is to write.
struct SharedDatabase {
    static let epoch = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0001)
    /// Changes are landmarks that were added. The first one has revision 1.
    private(set) var changes: [EncodedChange] = []
    private(set) var answers: [RequestKey: [UInt8]] = [:]
    /// The run that may write.
    var term: UUIDv7?
    /// How often a request came that had been answered before.
    private(set) var repeats = 0

    var head: UInt64 { UInt64(changes.count) }
    var names: [String] { get throws { try changes.map { try WireChange(serializedBytes: $0.bytes).landmark.name } } }

    mutating func add(_ draft: WireLandmarkDraft, _ key: RequestKey) throws -> (
        answer: [UInt8], change: EncodedChange?
    ) {
        if let answer = answers[key] {
            repeats += 1
            return (answer, nil)
        }
        let change = try Self.change(draft.name, at: head + 1)
        changes.append(change)
        let answer = WireReply.with {
            $0.written.id = Self.id(change.rev).wire
            $0.written.rev = change.rev
            $0.written.version = 1
        }.encoded
        answers[key] = answer
        return (answer, change)
    }

    static func change(_ name: String, at rev: UInt64) throws -> EncodedChange {
        let landmark = WireLandmark.with {
            $0.id = id(rev).wire
            $0.name = name
            ($0.version, $0.rev, $0.user) = (1, rev, "ada")
        }
        let wire = WireChange.with { ($0.rev, $0.at, $0.operation, $0.landmark) = (rev, 1, .added, landmark) }
        guard let change = EncodedChange(wire.encoded) else { throw InvalidInput.missing("a change") }
        return change
    }

    private static func id(_ rev: UInt64) -> UUIDv7 { UUIDv7(high: 7, low: rev) }
}

/// A storage of which several share a database, one of them serving at a time. The others refuse everything. Unlike a
/// `StubService` it keeps what it was given, and its answers follow from that.
actor StandbyStorage {
    private let loop = EventLoop.forTest("standby")
    private let database: Locked<SharedDatabase>
    private let folder: String
    private let name: String
    private var context: Context?
    private var server: RequestServer?
    private var publisher: FeedPublisher?
    /// Nil while it waits to take over.
    private var run: UUIDv7?
    /// What it knows of the database: one whose term is over knows nothing later.
    private var head: UInt64 = 0
    /// Writes that are still to be committed and not answered.
    private(set) var swallowed = 0
    private(set) var greetings = 0
    /// Whether it answers only the greetings of a channel, which looks for the storage that serves, and not those of
    /// the service that has the channel.
    private var answersOnlyChannels = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    nonisolated var endpoint: String { "ipc://\(folder)/\(name)-s" }

    init(_ name: String, _ database: Locked<SharedDatabase>, in directory: TemporaryDirectory) {
        (self.name, self.database, folder) = (name, database, directory.path)
    }

    /// Listens, and refuses.
    func start(_ context: Context) throws {
        self.context = context
        let server = try RequestServer(loop: loop, context: context, endpoint: endpoint)
        self.server = server
        server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.drain() } }
    }

    func takeOver(answersOnlyChannels: Bool = false) throws {
        guard let context else { return }
        self.answersOnlyChannels = answersOnlyChannels
        var generator = UUIDv7Generator()
        let run = generator.next(now: WallClock.milliseconds)
        head = database.withLock { database in
            database.term = run
            return database.head
        }
        publisher?.close()
        publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: "ipc://\(folder)/\(name)-c",
            numbering: FeedNumbering(epoch: SharedDatabase.epoch, run: run, head: head, floor: 1),
            beacon: .milliseconds(100))
        self.run = run
    }

    /// Waits to take over again; it still publishes beacons.
    func stepDown() { run = nil }

    /// Commits this many of the next writes without answering.
    func swallow(_ count: Int) { swallowed = count }

    /// Stops everything on its thread, as SIGSTOP does, until the semaphore is signalled.
    ///
    /// - Parameter hasBegun: set by that thread before it stands still.
    func freeze(_ thaw: DispatchSemaphore, hasBegun: Locked<Bool> = Locked(false)) {
        hasBegun.withLock { $0 = true }
        thaw.wait()
    }

    /// Publishes a change that is in no history.
    func publishNonsense() throws {
        head += 1
        publisher?.publish(try SharedDatabase.change("nonsense", at: head))
    }

    /// Also runs if a test throws: the actor's sockets are closed on their loop.
    isolated deinit {
        server?.close()
        publisher?.close()
    }

    func stop() async {
        server?.close()
        publisher?.close()
        (server, publisher) = (nil, nil)
        await loop.stop()
    }

    private func drain() {
        try? server?.receive(count: 100, bytes: 1 << 20) { request in
            guard let command = (try? WireRequest(serializedBytes: request.body))?.command else { return }
            if case .hello = command { greetings += 1 }
            guard let run, let body = try? answer(command, request.header.key, run) else {
                guard run == nil else { return }
                let refusal = ServiceError(.unavailable, "This storage waits to take over.", retryAfter: 200)
                try? server?.refuse(request.address, ReplyHeader(), refusal)
                return
            }
            let position = Position(epoch: SharedDatabase.epoch, rev: head, run: run)
            try? server?.answer(request.address, ReplyHeader(position: position), body)
        }
    }

    /// Nil: no answer.
    private func answer(_ command: WireRequest.OneOf_Command, _ key: RequestKey, _ run: UUIDv7) throws -> [UInt8]? {
        let known = database.withLock { Array($0.changes.prefix(Int(head))) }
        switch command {
        case .hello(let hello):
            guard !answersOnlyChannels || !hello.agent.hasPrefix("waymark-query") else { return nil }
            return WireReply.with {
                $0.welcome.protocol = 1
                $0.welcome.epoch = SharedDatabase.epoch.wire
                $0.welcome.run = run.wire
                ($0.welcome.head, $0.welcome.floor) = (head, 1)
                $0.welcome.changesEndpoint = publisher?.endpoint ?? ""
            }.encoded
        case .snapshot:
            return try WireReply.with {
                $0.snapshot.landmarks = try known.map { try WireChange(serializedBytes: $0.bytes).landmark }
                ($0.snapshot.total, $0.snapshot.head) = (head, head)
            }.encoded
        case .changes(let asked):
            let page = try known.dropFirst(Int(asked.since.rev)).map { try WireChange(serializedBytes: $0.bytes) }
            return WireReply.with {
                $0.changes.changes = page
                $0.changes.run = run.wire
                ($0.changes.through, $0.changes.head, $0.changes.floor) = (head, head, 1)
            }.encoded
        case .add(let add): return try write(add, key, run)
        default: return WireReply(ServiceError(.unknownCommand, "This storage only has landmarks.")).encoded
        }
    }

    private func write(_ add: WireAdd, _ key: RequestKey, _ run: UUIDv7) throws -> [UInt8]? {
        let done = try database.withLock { try $0.term == run ? $0.add(add.draft, key) : nil }
        guard let (answer, change) = done else {
            // Somebody else has taken over. Of the worst kind of storage: it does not conclude anything from that.
            return WireReply(ServiceError(.unavailable, "The term is over.", retryAfter: 200)).encoded
        }
        if let change {
            head = change.rev
            publisher?.publish(change)
        }
        if swallowed > 0 {
            swallowed -= 1
            return nil
        }
        return answer
    }
}
