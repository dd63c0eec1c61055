// SPDX-License-Identifier: Apache-2.0

import Landmarks
import Logging
import Synchronization
import WaymarkProtocol

@testable import EngineParts
@testable import StorageOnPostgreSQL
@testable import StorageRules

/// What a writer was told about one request.
struct Attempt: Sendable {
    enum Outcome: Sendable, Hashable {
        /// With this reply.
        case acknowledged([UInt8])
        /// That it was not done, by an engine that knows so.
        case notDone
        /// Nothing certain.
        case unknown
    }

    /// As its landmark is named by the change; no other request names one so.
    let name: String
    let request: WriteRequest
    var outcome: Outcome
}

/// A storage as far as its engine goes, with a client that keeps what it was told.
///
/// `@unchecked Sendable`: one thread at a time uses it. A test that gives it to another waits for that one's end.
final class TrialWriter: @unchecked Sendable {
    let engine: PostgreSQLEngine
    let name: String
    private(set) var attempts: [Attempt] = []
    /// Revisions in the order in which they were handed out to be published.
    private(set) var published: [UInt64] = []
    private var ids: [Landmark.ID] = []
    private var sequence: UInt64 = 0
    private let client: UUIDv7

    /// Takes the database over, after `patience` of silence.
    init(
        _ name: String, _ server: PostgreSQLServer, patience: Duration = .seconds(3),
        run: UUIDv7 = UUIDv7.new(), tuning: EngineTuning = EngineTuning()
    ) throws {
        var server = server
        server.patience = patience
        (self.name, client) = (name, UUIDv7.new())
        engine = try PostgreSQLEngine(
            server, directory: nil, run: run, tuning: tuning, control: EngineControl(), logger: .silent)
    }

    deinit { engine.close() }

    private func request(_ command: Command) -> WriteRequest {
        WriteRequest(
            client: client, sequence: sequence, digest: RequestDigest(of: Array("\(name) \(sequence)".utf8)),
            caller: .anyone(user: "armando"), now: 1_700_000_000_000, command: command)
    }

    /// Adds landmarks, and changes some of those that it has added.
    func batch(_ count: Int) throws -> [Attempt] {
        try (0..<count).map { _ in
            sequence += 1
            let unique = "\(name) \(sequence)"
            if sequence % 3 == 0, let id = ids.last {
                return Attempt(
                    name: unique, request: request(.edit(id, try LandmarkEdit(name: unique), ifVersion: nil)),
                    outcome: .unknown)
            }
            return Attempt(
                name: unique, request: request(.add(try draft(unique), note: "A note.")), outcome: .unknown)
        }
    }

    /// Applies a batch, and notes what came of it.
    ///
    /// - Throws: what the engine throws; `.superseded` is noted as not done.
    func apply(_ batch: [Attempt]) throws(EngineError) {
        var batch = batch
        do throws(EngineError) {
            let applied = try engine.apply(batch.map(\.request))
            for place in batch.indices { batch[place].outcome = .acknowledged(applied.replies[place]) }
            published += applied.changes.map(\.rev)
            ids += batch.compactMap { attempt in
                guard case .add = attempt.request.command else { return nil }
                return attempt.reply.flatMap { UUIDv7(bytes: $0.written.id) }
            }
            attempts += batch
        } catch {
            let isNotDone = error == .superseded
            attempts += batch.map {
                Attempt(name: $0.name, request: $0.request, outcome: isNotDone ? .notDone : .unknown)
            }
            throw error
        }
    }

    @discardableResult
    func add(_ count: Int = 1) throws -> [Attempt] {
        let batch = try batch(count)
        try apply(batch)
        return Array(attempts.suffix(count))
    }

    /// Sends all that has no answer yet once more, as a client does, until it has one.
    func settle(_ time: Duration = .seconds(60)) throws {
        let deadline = ContinuousClock.now + time
        for place in attempts.indices where attempts[place].outcome == .unknown {
            while true {
                do throws(EngineError) {
                    let applied = try engine.apply([attempts[place].request])
                    attempts[place].outcome = .acknowledged(applied.replies[0])
                    published += applied.changes.map(\.rev)
                    break
                } catch {
                    guard case .unreachable = error, ContinuousClock.now < deadline else { throw error }
                    engine.control.sleep(.milliseconds(50))
                }
            }
        }
    }
}

extension Attempt {
    /// The reply that it was acknowledged with.
    var reply: WireReply? {
        guard case .acknowledged(let bytes) = outcome else { return nil }
        return try? WireReply(serializedBytes: bytes)
    }
}
