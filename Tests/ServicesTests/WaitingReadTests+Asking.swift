// SPDX-License-Identifier: Apache-2.0

import Accounts
import Landmarks
import TestSupport
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import WaymarkTransport

extension WaitingReadTests {
    /// A request for what follows a position.
    static func changes(
        after position: Position, wait: UInt32, _ fill: (inout WireChanges) -> Void = { _ in }
    ) -> WireRequest {
        .with {
            $0.changes.since = position.wire
            $0.changes.waitMs = wait
            fill(&$0.changes)
        }
    }

    static func frames(_ request: WireRequest, _ header: WireRequestHeader) throws -> [[UInt8]] {
        [Signature(.request).bytes, try header.serializedBytes(), try request.serializedBytes()]
    }

    static func page(_ frames: [[UInt8]]) throws -> WireChangesPage {
        guard case .changes(let page)? = try RawPeer.read(frames).1.result else { throw RawPeer.Silence() }
        return page
    }

    static func withPeer(
        of service: Service, reads: Int? = nil, _ body: (Pair, WaymarkClient, RawPeer) async throws -> Void
    ) async throws {
        try await withPair(.ipc, reads: reads) { pair, client in
            _ = try await client.add(WriteTests.draft("before"))
            let peer = RawPeer()
            try await peer.open(service == .query ? pair.endpoint : pair.storageEndpoint, context: pair.context)
            try await body(pair, client, peer)
            await peer.close()
        }
    }

    /// The position of the service, once the replica has this client's writes too.
    static func position(_ client: WaymarkClient) async throws -> Position {
        _ = try await client.near(WriteTests.draft().coordinate)
        return try await client.hello().position
    }

    @Test("an account that ends while its request waits gets no change")
    func endedAccount() async throws {
        try await withSecuredPair { pair in
            let (_, root) = try await pair.account("root", .admin)
            let (keys, _) = try await pair.account("ann", .reader)
            let before = try await Self.position(root)
            let waiting = Task {
                try await RawRequest.reply(
                    pair.endpoint, keys: keys, server: pair.serviceKeys.publicKey,
                    Self.changes(after: before, wait: .max),
                    RequestHeader(key: RequestKey(client: UUIDv7(high: 8, low: 8), sequence: 1)))
            }
            try await until {
                try await root.status().query?.counters.contains { $0.name == "changes_waited" && $0.value > 0 } == true
            }
            _ = try await root.changeAccount("ann", ends: true)
            _ = try await root.add(WriteTests.draft())
            guard case .failure(let failure)? = try await waiting.value?.result else {
                Issue.record("it got an answer")
                return
            }
            #expect([ErrorCode.accountEnded, .keyEnded].contains(ErrorCode(rawValue: failure.code)))
        }
    }
}
