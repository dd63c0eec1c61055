// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestTurns
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import WaymarkLoad

@Suite("A port to a service", .inShortTurn)
struct ServicePortTests {
    /// The header of the first request.
    private func header(atLeast: Position?) throws -> WireRequestHeader {
        let context = try Context()
        defer { context.shutdown() }
        let service = try Socket(.router, context: context)
        let endpoint = try service.bind("tcp://127.0.0.1:*")
        let near = ReadOperation.near(limit: 1, radius: nil, around: nil, seed: 1)
        let port = try ServicePort(
            context, endpoint: endpoint, user: "ann", atLeast: atLeast,
            operations: OperationMix([WeightedOperation(near)], seed: 1), timeout: 1_000_000_000)
        #expect(try port.send(1, intended: 0))
        var poller = Poller()
        poller.add(service)
        _ = try poller.wait(.seconds(60))
        var message = Message()
        try #require(try service.receive(into: &message))
        let bytes = message.withUnsafeBytes(at: 2) { Array($0) }
        return try WireRequestHeader(serializedBytes: bytes)
    }

    @Test("A request asks for the position that it was told, or for none")
    func atLeast() throws {
        let position = Position(epoch: UUIDv7(high: 1, low: 2), rev: 42, run: UUIDv7(high: 3, low: 4))
        let header = try header(atLeast: position)
        #expect(try Position(header.atLeast) == position)
        #expect(header.user == "ann" && header.sequence == 1)
        #expect(try !self.header(atLeast: nil).hasAtLeast)
    }
}
