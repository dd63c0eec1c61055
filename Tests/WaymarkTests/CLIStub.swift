// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Landmarks
import TestServices
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkCLI

/// A service that answers as the test says, for commands in this process. It keeps what it was asked.
struct CLIStub: Sendable {
    typealias Command = WireRequest.OneOf_Command

    private let asked = Locked<[Command]>([])
    private let service: StubService
    private let context: Context
    private let endpoint: String

    private init(_ answer: @escaping @Sendable (Command) -> WireReply) async throws {
        let asked = self.asked
        service = StubService.reading { command in
            asked.withLock { $0.append(command) }
            return .answer(answer(command), at: Position(epoch: UUIDv7(high: 1, low: 2), rev: 9))
        }
        context = try Context()
        endpoint = try await service.start(at: "tcp://127.0.0.1:*", context)
    }

    static func with(
        _ answer: @escaping @Sendable (Command) -> WireReply, _ body: (CLIStub) async throws -> Void
    ) async throws {
        let stub = try await CLIStub(answer)
        do {
            try await body(stub)
        } catch {
            await stub.service.stop()
            throw error
        }
        await stub.service.stop()
        stub.context.terminate()
    }

    /// Runs a command as the user ann.
    func run(_ arguments: String...) async -> ToolResult { await run(arguments) }

    func run(_ arguments: [String]) async -> ToolResult {
        let (out, err) = (MemorySink(), MemorySink())
        let surroundings = Surroundings(
            environment: ["WAYMARK_CONNECT": endpoint, "WAYMARK_USER": "ann"], out: out, err: err)
        let status = await WaymarkTool.run(ProcessBench.patient(arguments), in: surroundings)
        return ToolResult(status: status, out: out.text, err: err.text)
    }

    /// What was asked since the last call.
    func commands() -> [Command] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }
}
