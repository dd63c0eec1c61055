// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestSupport
import WaymarkClient
import WaymarkProtocol

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
}
