// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import SwiftProtobuf
import TestServices
import ZeroMQ

@testable import WaymarkProtocol

/// A storage service of a later release, as far as a query service uses it. Its log has one change, of a kind that
/// this release does not know.
final class LaterStorage: Sendable {
    static let unknownKind = WireChange.Operation(rawValue: 9) ?? .unspecified

    private static let epoch = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0001)
    private static let run = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0002)
    private let service: StubService
    private let feed: String
    private let requests: String
    /// The kind of the only change in the log.
    private let kind: Locked<WireChange.Operation>

    init(in directory: TemporaryDirectory) {
        let (kind, feed) = (Locked(WireChange.Operation.added), "ipc://\(directory.path)/later-c")
        (self.kind, self.feed, requests) = (kind, feed, "ipc://\(directory.path)/later-s")
        service = .reading { command in
            guard let reply = try? LaterStorage.answer(command, kind.withLock { $0 }, feed) else { return .swallow }
            return .answer(reply)
        }
    }

    func start(_ context: Context) async throws -> String {
        try await service.startFeed(
            at: feed, context, numbering: FeedNumbering(epoch: Self.epoch, run: Self.run, head: 0, floor: 1))
        return try await service.start(at: requests, context)
    }

    func stop() async { await service.stop() }

    /// Commits a change of this kind.
    func change(_ kind: WireChange.Operation) async throws {
        self.kind.withLock { $0 = kind }
        let subject = FilterSubject(try Self.landmark)
        await service.publish(
            EncodedChange(
                rev: 1, operation: .added, subjects: .success(EncodedChange.Subjects(after: subject, before: nil)),
                bytes: try Self.wire(kind).serializedBytes(), landmark: 0..<0))
    }

    private static var landmark: Landmark {
        get throws {
            try Landmark(
                .with {
                    $0.id = UUIDv7(high: 0x0193_3c6e_8000_7000, low: 0x8000_0000_0000_0003).wire
                    $0.name = "Later"
                    $0.version = 1
                    $0.rev = 1
                    $0.user = "ada"
                })
        }
    }

    private static func wire(_ kind: WireChange.Operation) throws -> WireChange {
        var change = WireChange()
        change.rev = 1
        change.at = 1
        change.operation = kind
        change.landmark = WireLandmark(try landmark)
        return change
    }

    private static func answer(
        _ command: WireRequest.OneOf_Command, _ kind: WireChange.Operation, _ feed: String
    ) throws -> WireReply {
        switch command {
        case .hello:
            return .with {
                $0.welcome = .with {
                    $0.protocol = 1
                    $0.epoch = epoch.wire
                    $0.run = run.wire
                    $0.floor = 1
                    $0.changesEndpoint = feed
                }
            }
        case .snapshot: return .with { $0.snapshot = WireSnapshotPage() }
        case .changes(let asked):
            let changes = asked.since.rev == 0 ? [try wire(kind)] : []
            return .with {
                $0.changes.run = run.wire
                $0.changes.floor = 1
                $0.changes.head = asked.since.rev
                $0.changes.through = asked.since.rev
                if kind == unknownKind {
                    $0.changes.head = 1
                    $0.changes.through = 1
                    $0.changes.changes = changes
                }
            }
        // An unknown result: field 99, length-delimited and empty.
        default: return try WireReply(serializedBytes: [0x9a, 0x06, 0x00])
        }
    }
}
