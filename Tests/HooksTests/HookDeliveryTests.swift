// SPDX-License-Identifier: Apache-2.0

import Foundation
import IPAddresses
import Ingest
import NIOHTTP1
import TestTurns
import TestWeb
import Testing
import WaymarkProtocol
import ZeroMQ

@testable import Hooks

/// Messages over HTTP to a server of the test.
@Suite(.inShortTurn)
struct HookDeliveryTests {
    private static let message = HookMessage(id: "e-1", isBatch: false, body: Array(#"{"a":1}"#.utf8))
    private static let hook = WireHook.with { $0.secret = Data("secret".utf8) }

    private static func limits(_ change: (inout WebPost.Limits) -> Void = { _ in }) -> WebPost.Limits {
        var limits = WebPost.Limits()
        limits.allowed = [AddressBlock("127.0.0.1")].compactMap { $0 }
        change(&limits)
        return limits
    }

    private static func delivery(
        _ url: String, _ limits: WebPost.Limits = limits(), tries: Int = HookDelivery.mostTries
    ) -> HookDelivery {
        var clock = HookClock.system
        clock.unix = { 1_614_265_330_500 }
        return HookDelivery(to: url, limits, seats: HookDelivery.Seats(most: tries) { $0 }, clock: clock)
    }

    private static func send(_ delivery: HookDelivery, _ hook: WireHook = hook) async -> HookOutcome? {
        await delivery.send(message, of: hook, if: { true })
    }

    @Test
    func sendsASignedMessage() async throws {
        try await TestServer.with({ _, _ in .message("204 No Content") }) { server in
            var hook = Self.hook
            (hook.formerSecret, hook.formerUntil) = (Data("old".utf8), 1_614_265_330_501)
            let delivery = Self.delivery(server.url)
            #expect(await Self.send(delivery, hook) == .taken)
            hook.formerUntil = 1_614_265_330_500
            #expect(await Self.send(delivery, hook) == .taken)
            let requests = server.requests
            #expect(requests.map(\.method) == [.POST, .POST] && server.bodies == [#"{"a":1}"#, #"{"a":1}"#])
            for (request, secrets) in zip(requests, [[hook.secret, hook.formerSecret], [hook.secret]]) {
                #expect(request.headers["content-type"] == ["application/cloudevents+json"])
                #expect(request.headers["webhook-id"] == ["e-1"])
                #expect(request.headers["webhook-timestamp"] == ["1614265330"])
                let signature = HookSignature.header(
                    id: "e-1", seconds: 1_614_265_330, body: Self.message.body, secrets: secrets)
                #expect(request.headers["webhook-signature"] == [signature])
                #expect(request.headers["expect"].isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("200 OK", true), ("299 Fine", true), ("302 Found", false), ("404 Not Found", false), ("425 Too Early", false),
        ("500 Internal Server Error", false),
    ])
    func onlySuccessIsTaken(status: String, isTaken: Bool) async throws {
        try await TestServer.with({ _, _ in .message(status, ["Location: /other"]) }) { server in
            let outcome = await Self.send(Self.delivery(server.url))
            #expect((outcome == .taken) == isTaken)
            if !isTaken {
                guard case .failed(let why, nil) = outcome else { throw CocoaError(.featureUnsupported) }
                #expect(why.contains(status.prefix(3)))
                #expect(why.contains("no redirect is followed") == status.hasPrefix("302"))
            }
            // A redirect is not followed.
            #expect(server.requests.count == 1)
        }
    }

    @Test
    func theReceiverAsksForAPauseOrForTheEnd() async throws {
        try await TestServer.with({ _, count in
            count == 0 ? .message("503 Busy", ["Retry-After: 7"]) : .message("410 Gone")
        }) { server in
            let delivery = Self.delivery(server.url)
            guard case .failed(_, .seconds(7)?) = await Self.send(delivery) else {
                throw CocoaError(.featureUnsupported)
            }
            guard case .gone = await Self.send(delivery) else { throw CocoaError(.featureUnsupported) }
        }
    }

    @Test("of an endless answer only a little is read, and its status counts")
    func endlessAnswer() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
        try await TestServer.with({ _, _ in
            TestServer.Reply(bytes: head, then: .repeating(String(repeating: "x", count: 65_536)))
        }) { server in
            #expect(await Self.send(Self.delivery(server.url)) == .taken)
            try await server.hungUp()
        }
    }

    @Test
    func aReceiverThatDoesNotAnswerIsLeftInTime() async throws {
        try await TestServer.with({ _, _ in TestServer.Reply(bytes: "") }) { server in
            let delivery = Self.delivery(server.url, Self.limits { $0.timeout = .milliseconds(200) })
            guard case .failed(let why, nil) = await Self.send(delivery) else { throw CocoaError(.featureUnsupported) }
            #expect(why.contains("not complete within"))
        }
    }

    @Test("this machine is refused with the sentence, before anything is sent", arguments: ["127.0.0.1", "localhost"])
    func staysOutside(host: String) async throws {
        try await TestServer.with({ _, _ in .message("200 OK") }) { server in
            let url = "http://\(host):\(server.port)/"
            guard case .failed(let why, nil) = await Self.send(Self.delivery(url, WebPost.Limits())) else {
                throw CocoaError(.featureUnsupported)
            }
            #expect(why.contains("which is no public address, so nothing was sent there"))
            #expect(why.contains("hooks.allow"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a name that leads to this machine at the second look-up is refused then")
    func secondLookUp() async throws {
        try await TestServer.with({ _, _ in .message("200 OK") }) { server in
            let asked = Locked(0)
            let limits = Self.limits { limits in
                limits.allowed = []
                limits.reach = { text in
                    let count = asked.withLock { count in
                        count += 1
                        return count
                    }
                    return count == 1 ? .world : AddressReach(text)
                }
            }
            let delivery = Self.delivery("http://localhost:\(server.port)/", limits)
            #expect(await Self.send(delivery) == .taken)
            // The connection is kept, so the address is not asked for again.
            #expect(await Self.send(delivery) == .taken)
            #expect(asked.withLock { $0 } == 1)
            delivery.rest()
            try await server.hungUp()
            guard case .failed(let why, nil) = await Self.send(delivery) else { throw CocoaError(.featureUnsupported) }
            #expect(why.contains("no public address") && server.requests.count == 2)
        }
    }

    @Test("a proxy has to be set, and addresses in the URL are checked even so")
    func throughAProxy() async throws {
        try await TestServer.with({ _, _ in .message("200 OK") }) { proxy in
            let limits = Self.limits { limits in
                limits.allowed = []
                limits.proxy = "http://127.0.0.1:\(proxy.port)"
            }
            #expect(await Self.send(Self.delivery("http://receiver.example/x", limits)) == .taken)
            guard case .failed(let why, nil) = await Self.send(Self.delivery("http://169.254.169.254/", limits)) else {
                throw CocoaError(.featureUnsupported)
            }
            #expect(why.contains("169.254.169.254, which is no public address"))
            #expect(proxy.requests.map(\.uri) == ["http://receiver.example/x"])
        }
    }

    @Test
    func withoutPermissionThereIsNoTry() async throws {
        try await TestServer.with({ _, _ in .message("200 OK") }) { server in
            #expect(await Self.delivery(server.url).send(Self.message, of: Self.hook, if: { false }) == nil)
            #expect(server.requests.isEmpty)
        }
    }
}
