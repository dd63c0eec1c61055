// SPDX-License-Identifier: Apache-2.0

import TestTurns
import TestWeb
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct RetryTests {
    @Test
    func triesAgainUntilItSucceeds() async throws {
        try await TestServer.with({ _, before in
            switch before {
            case 0: .message("503 Service Unavailable")
            case 1: TestServer.Reply(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[", then: .close)
            case 2: .message("429 Too Many Requests")
            default: .message("200 OK", [], "[]")
            }
        }) { server in
            let fetcher = PatientFetcher(attempts: 4)
            let result = try await fetcher.fetch(server.url)
            #expect(result.text == "[]")
            #expect(fetcher.waits == [.milliseconds(375), .milliseconds(750), .milliseconds(1500)])
            #expect(server.requests.count == 4)
        }
    }

    @Test
    func tellsThatItWillTryAgain() async throws {
        try await TestServer.with({ _, _ in .message("500 Internal Server Error") }) { server in
            let told = Recorder<FetchRetry>()
            let request = FetchRequest(location: try SourceLocation(server.url))
            await #expect(throws: FetchError.self) {
                _ = try await PatientFetcher(attempts: 3).fetcher.fetch(request, retrying: { told.add($0) })
            }
            #expect(told.all.map(\.attempt) == [2, 3] && told.all.allSatisfy { $0.of == 3 })
            #expect(told.all.map(\.reason) == Array(repeating: .status(500, retryAfter: nil), count: 2))
            #expect(told.all.first?.wait == .milliseconds(375))
        }
    }

    @Test
    func givesUpAfterTheLastAttempt() async throws {
        try await TestServer.with({ _, _ in .message("500 Internal Server Error") }) { server in
            let fetcher = PatientFetcher(attempts: 3)
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason == .status(500, retryAfter: nil))
            #expect(server.requests.count == 3)
            #expect(fetcher.waits.count == 2)
        }
    }

    @Test(arguments: ["400 Bad Request", "404 Not Found", "501 Not Implemented"])
    func repeatsOnlyWhatMayHelp(status: String) async throws {
        try await TestServer.with({ _, _ in .message(status) }) { server in
            let fetcher = PatientFetcher(attempts: 2)
            _ = try await fetcher.failure(server.url)
            #expect(server.requests.count == (status.hasPrefix("5") ? 2 : 1))
        }
    }

    @Test
    func waitsAsLongAsTheServerAsks() async throws {
        try await TestServer.with({ _, before in
            switch before {
            case 0: .message("429 Too Many Requests", ["Retry-After: 7"])
            case 1: .message("503 Service Unavailable", ["Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"])
            default: .message("200 OK", [], "[]")
            }
        }) { server in
            let fetcher = PatientFetcher(attempts: 3, now: 784_111_777 - 20)
            let result = try await fetcher.fetch(server.url)
            #expect(result.text == "[]")
            #expect(fetcher.waits == [.seconds(7), .seconds(20)])
        }
    }

    @Test
    func leavesALongWaitToTheSchedule() async throws {
        try await TestServer.with({ _, _ in .message("429 Too Many Requests", ["Retry-After: 3600"]) }) { server in
            let fetcher = PatientFetcher(attempts: 3)
            let error = try await fetcher.failure(server.url)
            #expect(error?.reason.retryAfter == .seconds(3600))
            #expect(
                error?.reason.description
                    == "The server answered 429 Too Many Requests and asks for a pause of 3600 seconds.")
            #expect(fetcher.waits.isEmpty)
        }
    }

    @Test
    func cancellingTheWaitEndsIt() async throws {
        try await TestServer.with({ _, _ in .message("500 Internal Server Error") }) { server in
            let fetcher = SourceFetcher(
                retry: RetryPolicy(),
                surroundings: .init(sleep: { _ in throw CancellationError() }, random: { 0 }, now: { 0 }))
            let request = FetchRequest(location: try SourceLocation(server.url))
            let error = await #expect(throws: FetchError.self) { try await fetcher.fetch(request) }
            #expect(error?.reason == .cancelled)
            #expect(error?.reason.description == "The fetch was cancelled.")
        }
    }

    @Test
    func theWaitDoublesUpToItsBound() {
        let policy = RetryPolicy(attempts: 50, firstWait: .seconds(1), longestWait: .seconds(10))
        func wait(_ attempt: Int, _ random: Double) -> Duration? {
            policy.wait(afterAttempt: attempt, retryAfter: nil, random: random)
        }
        #expect((1...6).map { wait($0, 0) } == [0.5, 1, 2, 4, 5, 5].map { .seconds($0) })
        #expect(wait(1, 0.999) ?? .zero < .seconds(1))
        #expect(wait(49, 0) == .seconds(5))
        #expect(wait(50, 0) == nil)
        #expect(policy.wait(afterAttempt: 1, retryAfter: .seconds(10), random: 0) == .seconds(10))
        #expect(policy.wait(afterAttempt: 1, retryAfter: .seconds(11), random: 0) == nil)
        #expect(policy.wait(afterAttempt: 1, retryAfter: .zero, random: 0) == .milliseconds(500))
    }

    @Test(arguments: [
        ("120", 120), ("0", 0), ("Thu, 01 Jan 1970 00:02:00 GMT", 20), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ])
    func readsRetryAfter(text: String, seconds: Int) {
        #expect(RetryAfter.read(text, now: 100) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "-1", "1.5", "soon", "99999999999", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
    ])
    func ignoresWhatIsNoRetryAfter(text: String) {
        #expect(RetryAfter.read(text, now: 0) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
    ])
    func readsDates(text: String, seconds: Int) {
        #expect(RetryAfter.unixSeconds(text) == seconds)
    }
}
