// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import SwiftProtobuf
import TestServices
import WaymarkProtocol
import ZeroMQ

/// The part of storage that a query service needs to load its landmarks. The test decides the answer for each page.
final class ScriptedStorage: Sendable {
    static let epoch = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0001)
    static let landmarks = 40

    /// - Parameters:
    ///   - after: the cursor of the requested page, which is the number of landmarks before it.
    ///   - times: how often this page was requested before.
    typealias Page = @Sendable (_ after: Int, _ times: Int) -> Answer

    enum Answer {
        /// Ten landmarks.
        case page
        case refused(ServiceError)
        /// Ten landmarks, from another run than the greeted one.
        case restarted
        /// A malformed landmark.
        case unreadable
    }

    private static let run = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0002)
    private let state: Locked<State>
    private let service: StubService

    init(_ script: @escaping Page) {
        let state = Locked(State())
        self.state = state
        service = .reading { command in state.withLock { $0.turn(command, script) } }
    }

    /// The requested pages, in order.
    var asked: [Int] { state.withLock { $0.asked } }
    /// How many copies of a change of a password have come.
    var passwords: Int { state.withLock { $0.passwords } }

    func start(_ context: Context, in directory: TemporaryDirectory) async throws -> String {
        let changes = "ipc://\(directory.path)/scripted-c"
        state.withLock { $0.changes = changes }
        try await service.startFeed(
            at: changes, context, numbering: FeedNumbering(epoch: Self.epoch, run: Self.run, head: 0, floor: 1))
        return try await service.start(at: "ipc://\(directory.path)/scripted-s", context)
    }

    func stop() async { await service.stop() }
}

extension ScriptedStorage {
    private struct State {
        var asked: [Int] = []
        var passwords = 0
        /// The endpoint of the feed.
        var changes = ""
        /// The run in the next answer.
        var told = ScriptedStorage.run

        mutating func turn(_ command: WireRequest.OneOf_Command, _ script: Page) -> StubService.Turn {
            if case .setPassword = command {
                passwords += 1
                // It is under way for longer than the pause after which a copy is sent.
                if passwords % 2 == 1 { return .swallow }
            }
            let reply = answer(command, script)
            defer { told = ScriptedStorage.run }
            return .answer(reply, at: Position(epoch: ScriptedStorage.epoch, rev: 0, run: told))
        }

        private mutating func answer(_ command: WireRequest.OneOf_Command, _ script: Page) -> WireReply {
            switch command {
            case .hello:
                .with {
                    $0.welcome.protocol = 1
                    $0.welcome.epoch = ScriptedStorage.epoch.wire
                    $0.welcome.run = ScriptedStorage.run.wire
                    $0.welcome.floor = 1
                    $0.welcome.changesEndpoint = changes
                }
            case .snapshot(let snapshot): page(after: Int(UUIDv7(bytes: snapshot.after)?.low ?? 0), script)
            case .changes:
                .with {
                    $0.changes.run = ScriptedStorage.run.wire
                    $0.changes.floor = 1
                }
            case .setPassword: WireReply(ServiceError(.wrongPassword, "The password is wrong."))
            default: WireReply(ServiceError(.unknownCommand, "This storage only has landmarks."))
            }
        }

        private mutating func page(after: Int, _ script: Page) -> WireReply {
            let times = asked.count { $0 == after }
            asked.append(after)
            switch script(after, times) {
            case .refused(let error): return WireReply(error)
            case .unreadable: return .with { $0.snapshot.landmarks = [.with { $0.name = "without an id" }] }
            case .restarted: told = UUIDv7(high: ScriptedStorage.run.high, low: ScriptedStorage.run.low + 1)
            case .page: break
            }
            return .with {
                $0.snapshot.landmarks = (after + 1...after + 10).map { number in
                    .with {
                        $0.id = UUIDv7(high: 7, low: UInt64(number)).wire
                        $0.name = "\(number)"
                    }
                }
                let next = after + 10
                if next < ScriptedStorage.landmarks { $0.snapshot.next = UUIDv7(high: 7, low: UInt64(next)).wire }
                $0.snapshot.total = UInt64(ScriptedStorage.landmarks)
            }
        }
    }
}
