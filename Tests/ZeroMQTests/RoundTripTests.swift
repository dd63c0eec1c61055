// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing
import ZeroMQ

@Suite(.inShortTurn)
struct RoundTripTests {
    private static let payloads: [[[UInt8]]] = [
        [[1]],
        [[]],
        [[], [2], []],
        (0..<20).map { [UInt8($0)] },
        [[UInt8](repeating: 3, count: 33), [UInt8](repeating: 4, count: 34)],
        [[UInt8](repeating: 5, count: Message.handOverThreshold - 1)],
        [[UInt8](repeating: 6, count: Message.handOverThreshold)],
        [(0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }],
    ]

    @Test("A router answers a dealer frame by frame", arguments: Transport.allCases)
    func echo(transport: Transport) async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = Peer(loop)
            try await service.open(.router, context, .service, handler: Peer.echo)
            let endpoint = try await service.bind(transport.endpoint())
            #expect(!endpoint.contains("*"))
            let client = Peer(loop)
            try await client.open(.dealer, context, monitored: true)
            try await client.connect(endpoint)
            for payload in Self.payloads {
                #expect(try await client.send(payload) == .sent)
                #expect(try await client.next() == payload)
            }
        }
    }
}
