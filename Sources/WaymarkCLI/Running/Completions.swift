// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Settings
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

/// The values that a shell offers when the person presses the tab key. They come from a quick request to the service.
/// If the service does not answer, nothing is offered and nothing is printed.
enum Completions {
    private static let patience = Duration.milliseconds(700)
    /// The number of recently changed landmarks that are requested. Kinds and users are taken from them, because no
    /// request lists all kinds or users.
    private static let sample = WaymarkProtocol.pageRows

    /// The known kinds, which can be found by any of their words, and the kinds in use.
    static let kinds = CompletionKind.custom { words, _, beginning in
        let known = KindSearch.kinds(beginning).map(\.name)
        let used = await offer(words, beginning) { client in try await sample(client).map(\.kind) }
        return known + used.filter { !known.contains($0) }
    }

    static let users = names { client in try await sample(client).map(\.user) }
    static let sources = names { client in try await client.sources().map(\.source) }
    static let fences = names { client in try await client.fences.page().fences.map(\.name) }
    static let hooks = names { client in try await client.hooks.page().hooks.map(\.name) }

    private static func names(_ ask: @escaping @Sendable (WaymarkClient) async throws -> [String]) -> CompletionKind {
        .custom { words, _, beginning in await offer(words, beginning, ask) }
    }

    static let ids = CompletionKind.custom { words, _, beginning in
        await offer(words, beginning) { client in
            let landmarks =
                if let beginning = UUIDv7Beginning(beginning) {
                    try await client.landmarks(beginning, atMost: 50)
                } else {
                    try await sample(client)
                }
            return landmarks.map(\.id.description)
        }
    }

    private static func sample(_ client: WaymarkClient) async throws(ClientError) -> [Landmark] {
        try await client.list(.byRecent, limit: sample).hits.map(\.landmark)
    }

    /// Returns the words sorted, without duplicates and words with characters that a shell or terminal would act on.
    private static func offer(
        _ words: [String], _ beginning: String, _ ask: (WaymarkClient) async throws -> [String]
    ) async -> [String] {
        let given = zip(words, words.dropFirst()).first { $0.0 == "--connect" }?.1
        let named = given ?? Surroundings.current.variable("WAYMARK_CONNECT") ?? WaymarkProtocol.defaultQueryEndpoint
        guard let text = try? Values.endpoints(named) else { return [] }
        let endpoints = EndpointText.list(text)
        var options = ClientOptions(
            timeout: patience, keys: (try? Credentials(endpoints, .current).clientKeys())?.0)
        options.endpoints = endpoints
        let found = (try? await options.withClient(ask)) ?? []
        let fitting = found.filter { word in
            !word.isEmpty && word.hasPrefix(beginning) && !word.unicodeScalars.contains { Escaping.isDangerous($0) }
        }
        return Set(fitting).sorted()
    }
}
