// SPDX-License-Identifier: Apache-2.0

import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite("Servers with wrong or hostile answers", .inShortTurn)
struct HostileServerTests {
    private let fetcher = PatientFetcher()

    @Test func aHeadThatNeverEndsIsCutOff() async throws {
        let reply = TestServer.Reply(
            bytes: "HTTP/1.1 200 OK\r\n",
            then: .repeating(String(repeating: "X-More: \(String(repeating: "a", count: 1_000))\r\n", count: 60)))
        try await TestServer.with({ _, _ in reply }) { server in
            let error = try await fetcher.failure(server.url)
            guard case .connection = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
            try await server.hungUp()
        }
    }

    @Test func interimAnswersThatNeverEndAreCutOff() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let reply = TestServer.Reply(bytes: interim, then: .repeating(String(repeating: interim, count: 1_000)))
        try await TestServer.with({ _, _ in reply }) { server in
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .connection("the head of its answer is larger than 262144 bytes"))
            try await server.hungUp()
        }
    }

    @Test func fieldsBeforeAndAfterTheAnswerAreNotItsOwn() async throws {
        let bytes =
            "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n"
            + "2\r\n[]\r\n0\r\nETag: \"late\"\r\n\r\n"
        try await TestServer.with({ _, _ in TestServer.Reply(bytes: bytes) }) { server in
            let result = try await fetcher.fetch(server.url)
            #expect(result.text == "[]")
            #expect(
                result.body?.validators == FetchValidators(etag: nil, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
        }
    }

    @Test(arguments: ["-5", "99999999999999999999999", "five"])
    func aLengthThatIsNoneDoesNoHarm(length: String) async throws {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n[]"
        try await TestServer.with({ _, _ in TestServer.Reply(bytes: bytes, then: .close) }) { server in
            let result = try? await fetcher.fetch(server.url)
            #expect(result == nil || result?.text == "[]")
        }
    }

    /// An ETag with a line break is not sent back, so it cannot become another header field.
    @Test func aValidatorWithALineBreakIsNotSent() async throws {
        try await TestServer.with({ _, _ in .message("200 OK", [], "[]") }) { server in
            let validators = FetchValidators(etag: "\"a\"\r\nX-Smuggled: 1", lastModified: "today")
            let result = try await fetcher.fetch(server.url, validators: validators)
            #expect(result.text == "[]")
            let headers = try #require(server.requests.first).headers
            #expect(headers["X-Smuggled"].isEmpty && headers["If-None-Match"].isEmpty)
            #expect(headers["If-Modified-Since"] == ["today"])
        }
    }

    /// Storage would refuse it, and the fetch would look as if it had not ended.
    @Test(arguments: ["ETag: \"", "Last-Modified: "])
    func aValidatorThatIsTooLongIsAsNone(field: String) async throws {
        for (length, isKept) in [(FetchValidators.mostBytes - 1, true), (FetchValidators.mostBytes + 1, false)] {
            let value = field + String(repeating: "a", count: length)
            try await TestServer.with({ _, _ in .message("200 OK", [value], "[]") }) { server in
                let result = try await fetcher.fetch(server.url)
                #expect(result.text == "[]" && result.body?.validators.isEmpty == !isKept)
            }
        }
    }

    @Test func manyFetchesAtOnceDoNotDisturbEachOther() async throws {
        try await TestServer.with({ head, _ in .message("200 OK", [], head.uri) }) { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    let (fetcher, url) = (fetcher, "http://127.0.0.1:\(server.port)/\(number)")
                    group.addTask { try await fetcher.fetch(url).text == "/\(number)" }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func aFetchThatIsCancelledBeforeItBeginsAsksNobody() async throws {
        try await TestServer.with({ _, _ in .message("200 OK", [], "[]") }) { server in
            let (fetcher, url) = (fetcher, server.url)
            let fetch = Task { () async throws -> FetchError? in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await fetcher.failure(url)
            }
            let error = try await fetch.value
            #expect(error?.reason == .cancelled)
            #expect(server.requests.isEmpty)
        }
    }
}
