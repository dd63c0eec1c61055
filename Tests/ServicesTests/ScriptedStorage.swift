// SPDX-License-Identifier: Apache-2.0

import ChangeFeed
import Foundation
import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol
import WaymarkTransport
import ZeroMQ

/// The part of storage that a query service needs to load its landmarks. The test decides the answer for each page.
actor ScriptedStorage {
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

    private let loop = EventLoop.forTest("scripted")
    private let script: Page
    private let run = UUIDv7(high: 0x0193_3c6e_0000_7000, low: 0x8000_0000_0000_0002)
    /// The run in the next answer.
    private var told: UUIDv7
    private var server: RequestServer?
    private var publisher: FeedPublisher?
    /// The requested pages, in order.
    private(set) var asked: [Int] = []
    /// How many copies of a change of a password have come.
    private(set) var passwords = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ script: @escaping Page) {
        self.script = script
        told = run
    }

    func start(_ context: Context, in directory: TemporaryDirectory) throws -> String {
        let server = try RequestServer(loop: loop, context: context, endpoint: "ipc://\(directory.path)/scripted-s")
        publisher = try FeedPublisher(
            loop: loop, context: context, endpoint: "ipc://\(directory.path)/scripted-c",
            numbering: FeedNumbering(epoch: Self.epoch, run: run, head: 0, floor: 1), beacon: .milliseconds(100))
        self.server = server
        server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.drain() } }
        return server.endpoint
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
            if case .setPassword = command {
                passwords += 1
                // It is under way for longer than the pause after which a copy is sent.
                if passwords % 2 == 1 { return }
            }
            let body = answer(command).encoded
            let header = ReplyHeader(position: Position(epoch: Self.epoch, rev: 0, run: told))
            told = run
            try? server?.answer(request.address, header, body)
        }
    }

    private func answer(_ command: WireRequest.OneOf_Command) -> WireReply {
        switch command {
        case .hello:
            .with {
                $0.welcome.protocol = 1
                $0.welcome.epoch = Self.epoch.wire
                $0.welcome.run = run.wire
                $0.welcome.floor = 1
                $0.welcome.changesEndpoint = publisher?.endpoint ?? ""
            }
        case .snapshot(let snapshot): page(after: Int(UUIDv7(bytes: snapshot.after)?.low ?? 0))
        case .changes:
            .with {
                $0.changes.run = run.wire
                $0.changes.floor = 1
            }
        case .setPassword: WireReply(ServiceError(.wrongPassword, "The password is wrong."))
        default: WireReply(ServiceError(.unknownCommand, "This storage only has landmarks."))
        }
    }

    private func page(after: Int) -> WireReply {
        let times = asked.count { $0 == after }
        asked.append(after)
        switch script(after, times) {
        case .refused(let error): return WireReply(error)
        case .unreadable: return .with { $0.snapshot.landmarks = [.with { $0.name = "without an id" }] }
        case .restarted: told = UUIDv7(high: run.high, low: run.low + 1)
        case .page: break
        }
        return .with {
            $0.snapshot.landmarks = (after + 1...after + 10).map { number in
                .with {
                    $0.id = UUIDv7(high: 7, low: UInt64(number)).wire
                    $0.name = "\(number)"
                }
            }
            if after + 10 < Self.landmarks { $0.snapshot.next = UUIDv7(high: 7, low: UInt64(after + 10)).wire }
            $0.snapshot.total = UInt64(Self.landmarks)
        }
    }
}
