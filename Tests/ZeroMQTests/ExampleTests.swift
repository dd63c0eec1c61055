// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestTurns
import Testing
import ZeroMQ

@Suite("The article's examples", .inShortTurn)
struct ExampleTests {
    @Test("A client asks an echo server", arguments: [Transport.ipc, .inproc])
    func echo(transport: Transport) async throws {
        let context = try Context()
        let endpoint = transport.endpoint()
        let serving = Task { try await serveEcho(at: endpoint, context) }
        #expect(try await askEcho("hello", at: endpoint, context, patience: .seconds(30)) == "hello")
        context.shutdown()
        try await serving.value
        context.terminate()
    }

    @Test("An actor on the loop is an echo server too")
    func actor() async throws {
        let context = try Context()
        try await withEventLoop("echo") { loop in
            let server = Echo(loop)
            let endpoint = try await server.open(at: "tcp://127.0.0.1:*", context)
            #expect(try await askEcho("hello", at: endpoint, context, patience: .seconds(30)) == "hello")
        }
        // Returns only if its socket was closed with it.
        context.terminate()
    }

    @Test("It asks again when its request was lost, and takes no late answer")
    func again() async throws {
        let context = try Context()
        try await withLoop { loop in
            let service = try await AsyncSocket(.router, context: context, on: loop, options: .service)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            let asking = Task { try await askEcho("hello", at: endpoint, context, patience: .milliseconds(500)) }
            let first = try await service.receive()
            let second = try await service.receive()
            #expect(first.last?.text == "hello")
            try await service.send(first.dropLast().map(\.bytes) + [Array("late".utf8)])
            try await service.send(second)
            // The answer to each later request too: it may have asked again by now.
            let echo = Task { for try await message in service.messages { try await service.send(message) } }
            #expect(try await asking.value == "hello")
            await service.close()
            try await echo.value
        }
    }

    @Test(
        "A slow subscriber misses what the queues cannot hold, and sees how much", arguments: [Transport.inproc, .tcp])
    func slowSubscriber(transport: Transport) async throws {
        let context = try Context()
        let tally = try await publishToSlowSubscriber(count: 5_000, at: transport.endpoint(), context)
        #expect(tally.received + tally.missing == 5_000)
        #expect(tally.received >= 100)
        // TCP's own buffers may take all of it.
        if transport == .inproc { #expect(tally.received == 200) }
        context.terminate()
    }

    @Test("CURVE with ZAP: who is in the list is greeted by name, a stranger is refused")
    func curve() async throws {
        let context = try Context()
        let (greeting, refusal) = try await greetOverCurve(at: "tcp://127.0.0.1:*", context)
        #expect(greeting == "hello, ann")
        #expect(refusal == .handshakeFailed(.auth(status: 400)))
        context.terminate()
    }
}

@Suite("The catalog says what the code does", .inShortTurn)
struct CatalogTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(
        "Each article shows the examples as they are compiled",
        arguments: [
            ("GettingStarted", "EchoServer"), ("GettingStarted", "EchoClient"), ("SlowSubscribers", "SlowSubscriber"),
            ("Encryption", "CurveWithZAP"), ("ZeroMQ", "EchoActor"),
        ])
    func examples(article: String, example: String) throws {
        let text = try Self.text("Sources/ZeroMQ/ZeroMQ.docc/\(article).md")
        let source = try Self.text("Tests/ZeroMQTests/Examples/\(example).swift")
        let shown = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        #expect(text.contains("```swift\n\(shown)```\n"))
    }

    @Test("Each public type is in the catalog's topics, and nothing else")
    func topics() throws {
        let folder = Self.root.appending(path: "Sources/ZeroMQ")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let pattern = /^public (?:final )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/
            .anchorsMatchLineEndings()
        var types: Set<String> = []
        for name in names {
            for match in try Self.text("Sources/ZeroMQ/\(name)").matches(of: pattern) { types.insert("\(match.1)") }
        }
        let catalog = try Self.text("Sources/ZeroMQ/ZeroMQ.docc/ZeroMQ.md")
        let topics = try #require(catalog.components(separatedBy: "## Topics\n").dropFirst().first)
        let listed = Set(topics.matches(of: /- ``(\w+)``/).map { "\($0.1)" })
        #expect(types.count > 20)
        #expect(types == listed, "missing: \(types.subtracting(listed)), no longer there: \(listed.subtracting(types))")
        let articles = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "ZeroMQ.docc").path)
        for article in articles where article != "ZeroMQ.md" {
            #expect(topics.contains("- <doc:\(article.dropLast(3))>"), "\(article)")
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
