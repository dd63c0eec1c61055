// SPDX-License-Identifier: Apache-2.0

import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite("Fetching over TLS", .inShortTurn)
struct TLSFetchTests {
    private static let answer = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 6\r\n\r\n[1, 2]"

    private func fetch(
        _ url: String, trusting authorities: String?, through proxy: ConnectProxy? = nil
    ) async throws -> FetchResult {
        let surroundings = SourceFetcher.Surroundings(
            sleep: { _ in }, random: { 0.5 }, now: { 0 }, authorities: authorities,
            proxy: proxy.map { "http://127.0.0.1:\($0.port)" })
        let fetcher = SourceFetcher(retry: RetryPolicy(attempts: 3), surroundings: surroundings)
        return try await fetcher.fetch(FetchRequest(location: try SourceLocation(url))) { _ in
        } retrying: {
            Issue.record("This was tried again: \($0.reason)")
        }
    }

    private func failure(_ url: String, trusting authorities: String?) async throws -> FetchError? {
        await #expect(throws: FetchError.self) { try await fetch(url, trusting: authorities) }
    }

    @Test func anAuthorityThatIsKnownIsTrusted() async throws {
        let server = try await TLSServer(answer: Self.answer)
        let result = try await fetch(server.url(), trusting: server.authority)
        #expect(result.text == "[1, 2]" && result.body?.validators.etag == "\"v1\"")
    }

    @Test func anAuthorityThatIsUnknownIsRefusedByName() async throws {
        let (server, other) = (try await TLSServer(answer: Self.answer), try await TLSServer(answer: Self.answer))
        for authorities in [other.authority, nil] {
            let error = try await failure(server.url(), trusting: authorities)
            #expect(error?.reason.isRetryable == false)
            #expect(
                error?.description
                    == "\(server.url()): The server's certificate is not trusted (SSL certificate problem: unable to get "
                    + "local issuer certificate): check the address, or name a file with the certificate of its authority "
                    + "in SSL_CERT_FILE.")
        }
    }

    @Test func aCertificateOfAnotherNameIsRefused() async throws {
        let server = try await TLSServer(of: "DNS:elsewhere.example", answer: Self.answer)
        let error = try await failure(server.url(), trusting: server.authority)
        guard case .untrusted(let why) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(why.contains("127.0.0.1"))
    }

    @Test func authoritiesThatCannotBeReadAreNamed() async throws {
        let server = try await TLSServer(answer: Self.answer)
        let error = try await failure(server.url(), trusting: "/nonexistent/authorities.pem")
        #expect(error?.reason == .untrusted("the file of known authorities cannot be read"))
    }

    @Test func aProxyOpensATunnelAndSeesNothingElse() async throws {
        let (server, proxy) = (try await TLSServer(answer: Self.answer), try ConnectProxy())
        let result = try await fetch(server.url(), trusting: server.authority, through: proxy)
        #expect(result.text == "[1, 2]" && result.body?.validators.etag == "\"v1\"")
        #expect(proxy.heads.count == 1)
        #expect(proxy.heads.first?.first == "CONNECT 127.0.0.1:\(server.port) HTTP/1.1")
        // Headers for the server are sent within the tunnel only.
        #expect(proxy.heads.first?.contains { $0.lowercased().hasPrefix("accept") } == false)
    }

    @Test func theServerBehindAProxyHasToBeTrustedToo() async throws {
        let (server, other) = (try await TLSServer(answer: Self.answer), try await TLSServer(answer: Self.answer))
        let proxy = try ConnectProxy()
        let error = await #expect(throws: FetchError.self) {
            try await fetch(server.url(), trusting: other.authority, through: proxy)
        }
        guard case .untrusted = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aProxyThatRefusesIsNamed() async throws {
        let (server, proxy) = (try await TLSServer(answer: Self.answer), try ConnectProxy(refusal: "403 Forbidden"))
        let surroundings = SourceFetcher.Surroundings(
            sleep: { _ in }, random: { 0.5 }, now: { 0 }, authorities: server.authority,
            proxy: "http://127.0.0.1:\(proxy.port)")
        let fetcher = SourceFetcher(retry: RetryPolicy(attempts: 1), surroundings: surroundings)
        let error = await #expect(throws: FetchError.self) {
            try await fetcher.fetch(FetchRequest(location: try SourceLocation(server.url()))) { _ in
            } retrying: { _ in
            }
        }
        #expect(error?.reason == .connection("the proxy answered 403, so check https_proxy"))
    }

    @Test func aServerWithoutTLSIsNoEndlessWait() async throws {
        try await TestServer.with({ _, _ in .message("200 OK") }) { server in
            let fetcher = PatientFetcher()
            let error = try await fetcher.failure("https://127.0.0.1:\(server.port)/")
            guard case .connection = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
