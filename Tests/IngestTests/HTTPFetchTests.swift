// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOHTTP1
import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct HTTPFetchTests {
    private let fetcher = PatientFetcher()

    @Test
    func fetchesABodyWithItsValidators() async throws {
        let headers = ["ETag: \"v1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]
        try await TestServer.with({ _, _ in .message("200 OK", headers, "[1, 2]") }) { server in
            let result = try await fetcher.fetch(server.url)
            #expect(result.text == "[1, 2]")
            #expect(
                result.body?.validators
                    == FetchValidators(etag: "\"v1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
            let request = try #require(server.requests.first)
            #expect(request.uri == "/data.json")
            #expect(request.headers["Accept-Encoding"] == ["identity"])
            #expect(request.headers["If-None-Match"].isEmpty && request.headers["If-Modified-Since"].isEmpty)
        }
    }

    @Test
    func asksWhetherItHasChanged() async throws {
        try await TestServer.with({ _, _ in .message("304 Not Modified") }) { server in
            let validators = FetchValidators(etag: "\"v1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
            let result = try await fetcher.fetch(server.url, validators: validators)
            #expect(result == .notModified)
            let headers = try #require(server.requests.first).headers
            #expect(headers["If-None-Match"] == ["\"v1\""])
            #expect(headers["If-Modified-Since"] == ["Sun, 06 Nov 1994 08:49:37 GMT"])
        }
    }

    @Test
    func notModifiedUnaskedIsAnError() async throws {
        try await TestServer.with({ _, _ in .message("304 Not Modified") }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .status(304, retryAfter: nil))
        }
    }

    @Test(arguments: [
        ("400 Bad Request", 400, "The server answered 400 Bad Request."),
        ("401 Unauthorized", 401, "The server answered 401 Unauthorized: check the credentials."),
        ("404 Not Found", 404, "The server answered 404 Not Found: check the address."),
        ("429 Too Many Requests", 429, "The server answered 429 Too Many Requests: try again later."),
        ("503 Service Unavailable", 503, "The server answered 503 Service Unavailable: try again later."),
        ("204 No Content", 204, "The server answered 204 No Content."),
    ])
    func everyOtherStatusIsAnError(status: String, code: Int, sentence: String) async throws {
        try await TestServer.with({ _, _ in .message(status) }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .status(code, retryAfter: nil))
            #expect(error?.description == "\(server.url): \(sentence)")
        }
    }

    @Test
    func refusesABodyOfMoreBytesThanThereAre() async throws {
        let reply = TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nContent-Length: \(Int.max)\r\n\r\n", then: .close)
        try await TestServer.with({ _, _ in reply }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .tooLarge(limit: 64 << 20, announced: 1 << 53))
        }
    }

    @Test
    func refusesABodyThatIsAnnouncedTooLarge() async throws {
        let reply = TestServer.Reply(
            bytes: "HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n",
            then: .repeating(String(repeating: " ", count: 1 << 16)))
        try await TestServer.with({ _, _ in reply }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .tooLarge(limit: 64 << 20, announced: 10_737_418_240))
            #expect(
                error?.reason.description
                    == "The body of 10737418240 bytes is larger than the limit of 67108864: it was not read.")
            try await server.hungUp()
        }
    }

    @Test
    func stopsABodyThatNeverEnds() async throws {
        let reply = TestServer.Reply(
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            then: .repeating("10000\r\n\(String(repeating: " ", count: 1 << 16))\r\n"))
        try await TestServer.with({ _, _ in reply }) { server in
            let read = Recorder<Int>()
            let error = try await fetcher.failure(server.url, limits: FetchLimits(maxBytes: 1 << 20)) {
                read.add($0.bytes)
            }
            #expect(error?.reason == .tooLarge(limit: 1 << 20, announced: nil))
            #expect(read.all.allSatisfy { $0 <= 1 << 20 })
            #expect(
                error?.reason.description
                    == "The body is larger than the limit of 1048576 bytes: it was discarded.")
            try await server.hungUp()
        }
    }

    @Test
    func takesABodyOfExactlyTheLimit() async throws {
        try await TestServer.with({ _, _ in .message("200 OK", [], "12345") }) { server in
            let result = try await fetcher.fetch(server.url, limits: FetchLimits(maxBytes: 5))
            #expect(result.text == "12345")
            let error = try await fetcher.failure(server.url, limits: FetchLimits(maxBytes: 4))
            #expect(error?.reason == .tooLarge(limit: 4, announced: 5))
        }
        let reply = TestServer.Reply(
            bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n")
        try await TestServer.with({ _, _ in reply }) { server in
            let result = try await fetcher.fetch(server.url, limits: FetchLimits(maxBytes: 5))
            #expect(result.text == "12345")
            let error = try await fetcher.failure(server.url, limits: FetchLimits(maxBytes: 4))
            #expect(error?.reason == .tooLarge(limit: 4, announced: nil))
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1, 2",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1, 2\r\n", "",
    ])
    func aBodyThatIsCutOffIsAnError(bytes: String) async throws {
        try await TestServer.with({ _, _ in TestServer.Reply(bytes: bytes, then: .close) }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .cutOff)
            #expect(error?.reason.isRetryable == true)
            #expect(error?.reason.description == "The connection ended before the body did: try again.")
        }
    }

    @Test
    func anAnnouncedLengthBoundsTheBody() async throws {
        let reply = TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[] and more", then: .close)
        try await TestServer.with({ _, _ in reply }) { server in
            let result = try await fetcher.fetch(server.url)
            #expect(result.text == "[]")
        }
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1", ""])
    func aSlowServerTimesOut(bytes: String) async throws {
        try await TestServer.with({ _, _ in TestServer.Reply(bytes: bytes) }) { server in
            let limits = FetchLimits(timeout: .milliseconds(100))
            let error = try await fetcher.failure(server.url, limits: limits)
            #expect(error?.reason == .timedOut(.milliseconds(100)))
            #expect(
                error?.reason.description
                    == "The answer was not complete within 0.1 seconds: try again, or allow it more time.")
            try await server.hungUp()
        }
    }

    @Test
    func anAnswerThatIsNoHTTPIsAnError() async throws {
        try await TestServer.with({ _, _ in TestServer.Reply(bytes: "SSH-2.0-OpenSSH\r\n", then: .close) }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .connection("its answer is no HTTP"))
        }
    }

    @Test
    func aServerThatIsNotThereIsAnError() async throws {
        // Bound but not listening, so that no other program gets the port meanwhile.
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, size) == 0 && getsockname(socket, address, &size) == 0
            }
        }
        #expect(isBound)
        let url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/data.json"
        let error = try #require(try await fetcher.failure(url))
        #expect(error.reason.isRetryable)
        #expect(
            error.description
                == "\(url): The server cannot be reached: nobody listens there, so check the address and its port.")
    }

    @Test
    func tellsItsProgress() async throws {
        try await TestServer.with({ _, _ in .message("200 OK", [], "[1, 2]") }) { server in
            let progress = Recorder<FetchProgress>()
            let request = FetchRequest(location: try SourceLocation(server.url))
            _ = try await fetcher.fetcher.fetch(request) { progress.add($0) }
            #expect(progress.all.last == FetchProgress(bytes: 6, expected: 6))
        }
    }

    @Test
    func canBeCancelled() async throws {
        let (arrived, signal) = AsyncStream<Void>.makeStream()
        let reply = TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1")
        try await TestServer.with({ _, _ in reply }) { server in
            let request = FetchRequest(location: try SourceLocation(server.url))
            let patient = PatientFetcher(attempts: 4)
            let fetch = Task { () async throws(FetchError) in
                try await patient.fetcher.fetch(request) { _ in signal.yield() }
            }
            for await _ in arrived { break }
            fetch.cancel()
            let error = await #expect(throws: FetchError.self) { try await fetch.value }
            // The fetch ended before its time limit, after which it would have tried again.
            #expect(error?.reason == .cancelled && patient.waits.isEmpty)
            #expect(server.requests.count == 1)
            try await server.hungUp()
        }
    }

    @Test
    func sendsTheCredentialsOfTheURLAndHidesThem() async throws {
        try await TestServer.with({ _, _ in .message("401 Unauthorized") }) { server in
            let error = try await fetcher.failure("http://ann:secret@127.0.0.1:\(server.port)/a?key=hidden#part")
            let request = try #require(server.requests.first)
            #expect(request.headers["Authorization"] == ["Basic YW5uOnNlY3JldA=="])
            #expect(request.uri == "/a?key=hidden")
            #expect(
                error?.description
                    == "http://127.0.0.1:\(server.port)/a?…: The server answered 401 Unauthorized: check the credentials."
            )
        }
    }
}
