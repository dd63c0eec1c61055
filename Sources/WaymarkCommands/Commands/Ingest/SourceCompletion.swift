// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

/// The names of sources, for a shell that completes a word: whoever presses a key waits for a moment, and no error helps.
enum SourceCompletion {
    static let kind = CompletionKind.custom { (_: [String], _: Int, _: String) async -> [String] in await names() }

    private static func names() async -> [String] {
        let endpoint = Surroundings.current.variable("WAYMARK_CONNECT") ?? WaymarkProtocol.defaultQueryEndpoint
        guard
            let client = try? await WaymarkClient(
                .init(
                    endpoint: endpoint, user: "", timeout: .milliseconds(500), agent: "waymark \(Product.version)"))
        else { return [] }
        let sources = (try? await client.sources()) ?? []
        await client.close()
        return sources.map(\.source)
    }
}
