// SPDX-License-Identifier: Apache-2.0
import TestTurns
import Testing

@testable import ZeroMQ

@Suite("Who may connect", .inShortTurn)
struct ZAPTests {
    private static let wrong = SocketEvent.handshakeFailed(.auth(status: 400))

    @Test("a handler that was told nothing refuses everyone")
    func denies() async throws {
        for server in [SocketSecurity.plainServer(domain: "d"), .nullServer(domain: "d")] {
            let verdict = try await verdict(server, .plainClient(username: "a", password: "b"), ZAPAllowList())
            #expect(verdict != .handshakeSucceeded)
        }
        #expect(try await verdict(.nullServer(domain: "d"), nil, ZAPAllowList()) == Self.wrong)
    }

    @Test("without a handler a server lets nobody in, with PLAIN and with NULL too")
    func noHandler() async throws {
        let client = SocketSecurity.plainClient(username: "a", password: "b")
        #expect(try await verdict(.plainServer(domain: "d"), client, nil) != .handshakeSucceeded)
        #expect(try await verdict(.nullServer(domain: "d"), nil, nil) != .handshakeSucceeded)
    }

    @Test(
        "PLAIN: the password counts, and the domain",
        arguments: [
            ("ann", "secret", true), ("ann", "secreT", false), ("ann", "secret ", false), ("ann", "s", false),
            ("bob", "secret", false), ("eve", "other", false),
        ])
    func plain(username: String, password: String, isRight: Bool) async throws {
        var list = ZAPAllowList()
        list.admit(username: "ann", password: "secret", to: "d")
        list.admit(username: "eve", password: "other", to: "elsewhere")
        let client = SocketSecurity.plainClient(username: username, password: password)
        let verdict = try await verdict(.plainServer(domain: "d"), client, list)
        #expect(verdict == (isRight ? .handshakeSucceeded : Self.wrong))
    }

    @Test("NULL: the address counts", arguments: ["127.0.0.1", "127.0.0.2"])
    func null(address: String) async throws {
        var list = ZAPAllowList()
        list.admit(address: address, as: "neighbour", to: "d")
        let verdict = try await verdict(.nullServer(domain: "d"), nil, list)
        #expect(verdict == (address == "127.0.0.1" ? .handshakeSucceeded : Self.wrong))
    }

    @Test("CURVE: the key counts, and the domain; the list can be replaced")
    func curve() async throws {
        let (server, known, unknown) = (
            try CurveKeyPair.generate(), try CurveKeyPair.generate(), try CurveKeyPair.generate()
        )
        var list = ZAPAllowList()
        list.admit(known.publicKey, as: "ann", to: "d")
        list.admit(unknown.publicKey, as: "eve", to: "elsewhere")
        func verdict(_ keys: CurveKeyPair, _ list: ZAPAllowList) async throws -> SocketEvent {
            try await self.verdict(
                .curveServer(secretKey: server.secretKey, domain: "d"),
                .curveClient(serverKey: server.publicKey, keys: keys), ZAPAllowList(), replacedBy: list)
        }
        #expect(try await verdict(known, list) == .handshakeSucceeded)
        #expect(try await verdict(unknown, list) == Self.wrong)
        #expect(try await verdict(known, ZAPAllowList()) == Self.wrong)
    }

    @Test("A context has one handler; after its end it may have another")
    func one() async throws {
        let context = try Context()
        let handler = try await ZAPHandler(context: context)
        let error = await #expect(throws: ZeroMQError.self) { _ = try await ZAPHandler(context: context) }
        #expect(error?.code == .zapHandlerExists)
        #expect(error?.description.contains("already") == true)
        let other = try Context()
        _ = try await ZAPHandler(context: other)
        other.terminate()
        await handler.stop()
        await (try await ZAPHandler(context: context)).stop()
        // Returns only if no socket is left open.
        context.terminate()
    }

    @Test("who waits is decided about again, in the order of coming, and nobody waits behind him")
    func waits() async throws {
        let mind = Locked(ZAPAnswer.tryLater)
        let decide: ZAPHandler.Decision = { request in
            request.address == "known" ? .admit(userID: "known") : mind.withLock { $0 }
        }
        try await withAsker(patience: .seconds(300), decide) { handler, ask, answer in
            for number in ["1", "2"] { try await ask(number, "stranger") }
            try await ask("3", "known")
            #expect(try await answer() == ["3", "200"])
            await handler.reconsider()
            mind.withLock { $0 = .refuse }
            await handler.reconsider()
            #expect(try await answer() == ["1", "400"])
            #expect(try await answer() == ["2", "400"])
        }
    }

    @Test("who has waited for long is told to try again, and forgotten")
    func waitsInVain() async throws {
        let mind = Locked(ZAPAnswer.tryLater)
        try await withAsker(patience: .milliseconds(50), { _ in mind.withLock { $0 } }) { handler, ask, answer in
            for number in ["1", "2"] {
                try await ask(number, "stranger")
                #expect(try await answer() == [number, "300"])
            }
            mind.withLock { $0 = .refuse }
            await handler.reconsider()
            try await ask("3", "stranger")
            #expect(try await answer() == ["3", "400"])
        }
    }

    private func withAsker(
        patience: Duration, _ decide: @escaping ZAPHandler.Decision,
        _ body:
            @escaping @Sendable (
                ZAPHandler, _ ask: (_ number: String, _ address: String) async throws -> Void,
                _ answer: () async throws -> [String]
            ) async throws -> Void
    ) async throws {
        let context = try Context()
        let handler = try await ZAPHandler(context: context, patience: patience, decide: decide)
        try await withLoop { loop in
            let asker = Peer(loop)
            try await asker.open(.dealer, context)
            try await asker.connect(ZAPHandler.endpoint)
            func ask(_ number: String, _ address: String) async throws {
                try await asker.send([[]] + ["1.0", number, "d", address, "", "NULL"].map { Array($0.utf8) })
            }
            func answer() async throws -> [String] {
                try await asker.next()[2...3].map { String(decoding: $0, as: UTF8.self) }
            }
            try await body(handler, ask, answer)
        }
        await handler.stop()
        context.terminate()
    }

    @Test("What is no request gets an answer too: the handler does not work")
    func malformed() async throws {
        let context = try Context()
        let handler = try await ZAPHandler(context: context) { _ in .admit(userID: "anyone") }
        try await withLoop { loop in
            let asker = Peer(loop)
            // A `req` would be in the wrong state where its answers are read.
            try await asker.open(.dealer, context)
            try await asker.connect(ZAPHandler.endpoint)
            let key = String(repeating: "k", count: 32)
            let head = ["1.0", "7", "d", "::1", ""]
            for (request, status) in [
                (head + ["NULL"], "200"), (head + ["PLAIN", "a", "b"], "200"), (head + ["CURVE", key], "200"),
                (head + ["CURVE", key + "k"], "500"), (head + ["CURVE"], "500"), (head + ["PLAIN", "a"], "500"),
                (head + ["NULL", "x"], "500"), (head + ["GSSAPI", "x"], "500"), (head, "500"), (["1.0"], "500"),
                ([""], "500"), (["2.0"] + head.dropFirst() + ["NULL"], "500"),
            ] {
                try await asker.send([[]] + request.map { Array($0.utf8) })
                let answer = try await asker.next().dropFirst().map { String(decoding: $0, as: UTF8.self) }
                #expect(answer.count == 6)
                #expect(answer[0] == "1.0")
                #expect(answer[1] == (request.count > 1 ? "7" : ""))
                #expect(answer[2] == status, "\(request)")
                #expect(answer[4] == (status == "200" ? "anyone" : ""))
            }
        }
        await handler.stop()
    }

    @Test("A user id that a message could not show is none")
    func userID() {
        #expect(ZAPAnswer.admit(userID: String(repeating: "u", count: 255)).frames.status == "200")
        #expect(ZAPAnswer.admit(userID: String(repeating: "u", count: 256)).frames.status == "500")
        #expect(ZAPAnswer.admit(userID: "a\0b").frames.status == "500")
        #expect(ZAPAnswer.tryLater.frames.status == "300")
    }

    @Test("Passwords and secret keys are shown nowhere")
    func secrets() throws {
        let keys = try CurveKeyPair.generate()
        let shown: [Any] = [
            SocketSecurity.plainClient(username: "ann", password: "hunter2"),
            ZAPRequest(domain: "d", address: "", credentials: .plain(username: "ann", password: "hunter2")),
            SocketSecurity.curveServer(secretKey: keys.secretKey, domain: "d"),
            SocketSecurity.curveClient(serverKey: keys.publicKey, keys: keys),
        ]
        for value in shown {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("hunter2"))
            #expect(!text.contains(keys.secretKey.z85))
            #expect(!text.contains("\(keys.secretKey.bytes[0]), \(keys.secretKey.bytes[1])"))
        }
    }

    /// What a server says of a client's handshake.
    private func verdict(
        _ server: SocketSecurity, _ client: SocketSecurity?, _ list: ZAPAllowList?,
        replacedBy other: ZAPAllowList? = nil
    ) async throws -> SocketEvent {
        let context = try Context()
        return try await withLoop { loop in
            let handler: ZAPHandler? =
                if let list { try await ZAPHandler(context: context, admitting: list) } else { nil }
            if let other { await handler?.replace(admitting: other) }
            var options = SocketOptions.service
            options.security = server
            // The first verdict counts, and on a busy machine a handshake may take longer than a service grants.
            options.handshakeTimeout = .seconds(60)
            let service = Peer(loop)
            try await service.open(.router, context, options, monitored: true)
            let endpoint = try await service.bind(Transport.tcp.endpoint())
            options = .client
            (options.security, options.handshakeTimeout) = (client, .seconds(60))
            let peer = Peer(loop)
            try await peer.open(.dealer, context, options)
            try await peer.connect(endpoint)
            let event = await service.event(where: isVerdict)
            await handler?.stop()
            return event
        }
    }
}
