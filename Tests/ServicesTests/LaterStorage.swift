// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkTransport
import ZeroMQ

@testable import WaymarkProtocol

/// A storage service of a later release, as far as a query service uses it. Its log has one change, of a kind that
/// this release does not know.
actor LaterStorage {
    static let unknownKind = WireChange.Operation(rawValue: 9) ?? .unspecified

    private let loop = EventLoop.forTest("later-storage")
    private let epoch = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0001)
    private let run = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0002)
    private var server: RequestServer?
    private var publisher: FeedPublisher?
    /// The kind of the only change in the log.
    private var kind = WireChange.Operation.added

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(_ context: Context, in directory: TemporaryDirectory) throws -> String {
        let server = try RequestServer(loop: loop, context: context, endpoint: "ipc://\(directory.path)/later-s")
        publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: "ipc://\(directory.path)/later-c",
            numbering: FeedNumbering(epoch: epoch, run: run, head: 0, floor: 1), beacon: .milliseconds(100))
        self.server = server
        server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.drain() } }
        return server.endpoint
    }

    /// Commits a change of this kind.
    func change(_ kind: WireChange.Operation) throws {
        self.kind = kind
        let subject = FilterSubject(try landmark)
        publisher?.publish(
            EncodedChange(
                rev: 1, operation: .added, subjects: .success(EncodedChange.Subjects(after: subject, before: nil)),
                bytes: try wire.serializedBytes(), landmark: 0..<0))
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

    private var landmark: Landmark {
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

    private var wire: WireChange {
        get throws {
            var change = WireChange()
            change.rev = 1
            change.at = 1
            change.operation = kind
            change.landmark = WireLandmark(try landmark)
            return change
        }
    }

    private func drain() {
        try? server?.receive(count: 100, bytes: 1 << 20) { request in
            guard let command = (try? WireRequest(serializedBytes: request.body))?.command else { return }
            try? server?.answer(request.address, ReplyHeader(), (try? answer(command))?.encoded ?? [])
        }
    }

    private func answer(_ command: WireRequest.OneOf_Command) throws -> WireReply {
        switch command {
        case .hello:
            return .with {
                $0.welcome = .with {
                    $0.protocol = 1
                    $0.epoch = epoch.wire
                    $0.run = run.wire
                    $0.floor = 1
                    $0.changesEndpoint = publisher?.endpoint ?? ""
                }
            }
        case .snapshot: return .with { $0.snapshot = WireSnapshotPage() }
        case .changes(let asked):
            let changes = asked.since.rev == 0 ? [try wire] : []
            return .with {
                $0.changes.run = run.wire
                $0.changes.floor = 1
                $0.changes.head = asked.since.rev
                $0.changes.through = asked.since.rev
                if kind == Self.unknownKind {
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
