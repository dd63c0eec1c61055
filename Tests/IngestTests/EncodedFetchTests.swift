// SPDX-License-Identifier: Apache-2.0

import Ingest
import TestTurns
import TestWeb
import Testing

@Suite(.inShortTurn)
struct EncodedFetchTests {
    private let fetcher = PatientFetcher()

    /// Stores such as S3 keep files packed, and send them so whatever is asked.
    @Test(arguments: ["gzip", "x-gzip", "GZIP", "identity"])
    func aBodyPackedWithGzipIsTaken(coding: String) async throws {
        try await TestServer.with({ _, _ in .message("200 OK", ["Content-Encoding: \(coding)"], "name,lat,lng") }) {
            server in
            let fetched = try await fetcher.fetch(server.url)
            #expect(fetched.text == "name,lat,lng")
        }
    }

    @Test
    func refusesAnEncodedBody() async throws {
        try await TestServer.with({ _, _ in .message("200 OK", ["Content-Encoding: br"], "x") }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .encoded("br"))
            #expect(
                error?.reason.description
                    == "The server sent the body packed as br although it was asked not to: it was not read.")
        }
    }
}
