// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
internal import WebServer
import ZeroMQ

/// The sockets for clients that have no account's key yet. The server-key endpoint tells the service's public key, in
/// the clear; the other socket admits any key, and takes passwords. Both accept only little at a time.
final class SignInListeners {
    /// The most strangers connected at once.
    private static let connections = 64
    /// The most messages of one stranger that wait to be received.
    private static let backlog = 64
    /// Requests of one stranger that are answered without a pause.
    private static let atOnce = 64.0
    /// The most attempts to sign in that wait for storage.
    private static let mostWaiting = 64

    private let access: QueryAccess
    private let accounts: KnownAccounts
    private let link: StorageLink
    private let home: Home
    private var signIn: RequestServer?
    private var serverKey: RequestServer?
    /// Allowance of each stranger, by address, or by an earlier key of an account. Requests beyond it are dropped
    /// before their body is read, and without an answer, which would have to be encrypted: clients repeat their
    /// requests by themselves.
    private var strangers: TokenBuckets<String>
    /// Attempts to sign in that wait for storage. A repeated copy of one is dropped: the answer to the first copy is
    /// its answer too.
    private var waiting: Set<RequestKey> = []
    /// The limits of this service alone. Storage applies further limits to all services together.
    private var limits = SignInLimits()

    init(_ access: QueryAccess, _ accounts: KnownAccounts, _ link: StorageLink, home: Home) {
        (self.access, self.accounts, self.link, self.home) = (access, accounts, link, home)
        strangers = TokenBuckets(most: Self.atOnce, every: 1_000 / Double(max(1, access.strangersRate)))
    }

    func start() throws(ZeroMQError) {
        func listen(
            at endpoint: String?, _ security: SocketSecurity?
        ) throws(ZeroMQError) -> RequestServer? {
            guard let endpoint else { return nil }
            return try RequestServer(
                loop: home.loop, context: home.context, endpoint: endpoint,
                versions: link.options.protocolVersions,
                rule: ConnectionRule(most: Self.connections, security: security),
                messageBytes: WaymarkProtocol.signInBytes, backlog: Self.backlog)
        }
        signIn = try listen(
            at: access.signIn, .curveServer(secretKey: access.keys.secretKey, domain: KeyDomain.signIn))
        signIn?.start(on: home.loop) { [weak self] in self?.receiveSignIns() }
        serverKey = try listen(at: access.serverKeyEndpoint, nil)
        serverKey?.start(on: home.loop) { [weak self] in self?.answerServerKey() }
    }

    func close() {
        signIn?.close()
        serverKey?.close()
        (signIn, serverKey) = (nil, nil)
    }

    /// The endpoint for signing in; nil if there is none.
    var signInEndpoint: String? { signIn?.endpoint }
    /// The endpoint that tells the service's public key; nil if there is none.
    var serverKeyEndpoint: String? { serverKey?.endpoint }

    private func answerServerKey() {
        guard let server = serverKey else { return }
        try? server.receive(count: 16, bytes: 64 * 1024) { request in
            guard isAllowed(from: IPAddress.share(of: server.origin)) else { return }
            let reply: WireReply =
                if request.address.kind == .serverKey {
                    .with {
                        $0.serverKey.key = Data(access.keys.publicKey.bytes)
                        $0.serverKey.signInEndpoint = Endpoint.announced(
                            access.advertisedSignIn ?? signIn?.endpoint ?? "")
                    }
                } else {
                    WireReply(.onlyServerKey)
                }
            try? server.answer(request.address, ReplyHeader(), reply.encoded)
        }
    }

    private func receiveSignIns() {
        guard let server = signIn else { return }
        try? server.receive(count: 16, bytes: 64 * 1024) { request in
            guard let key = request.key else { return refuse(request, .onlySignIn, by: server) }
            // A client with an earlier key of an account has an allowance of its own, so strangers at its address
            // cannot use it up.
            guard isAllowed(from: accounts.book.knows(key) ? key.z85 : IPAddress.share(of: server.origin)) else {
                return
            }
            guard var signIn = WireSignIn(request) else { return refuse(request, .onlySignIn, by: server) }
            // The key needs no proof of possession, as with `add_key`: it admits only its secret's owner.
            if signIn.key.isEmpty { signIn.key = Data(key.bytes) }
            (signIn.before, signIn.kind) = (Data(key.bytes), .curve)
            pass(signIn, request, from: server.origin, by: server)
        }
    }

    private func isAllowed(from address: String) -> Bool {
        strangers.takes(address, now: Monotonic.milliseconds)
    }

    /// Signs in for a service: the HTTP interface names the key of the browser's session and the address that the
    /// request came from.
    func signIn(_ request: IncomingRequest, by server: RequestServer) {
        guard let signIn = WireSignIn(request) else {
            return refuse(
                request, ServiceError(.badFrame, "The request cannot be read: send a SignIn message."), by: server)
        }
        pass(signIn, request, from: request.header.origin, by: server)
    }

    private func pass(
        _ signIn: WireSignIn, _ request: IncomingRequest, from origin: String, by server: RequestServer
    ) {
        guard !waiting.contains(request.address.key) else { return }
        let source = accounts.book.source(
            signIn.name.normal, address: IPAddress.share(of: origin), before: CurveKey(bytes: [UInt8](signIn.before)))
        // Some room is reserved for people who have signed in before.
        guard waiting.count < Self.mostWaiting + (source.isProven ? Self.mostWaiting : 0) else {
            let busy = ServiceError(.busy, "Too many people sign in: try again.", retryAfter: 1_000)
            return refuse(request, busy, by: server)
        }
        // The limits stop a flood of attempts here, before it costs anything else.
        if let wait = limits.begin(source, now: Monotonic.milliseconds) {
            return refuse(request, .tooManyAttempts(wait: wait), by: server)
        }
        guard let channel = link.channel, !link.isAway else { return refuse(request, .storageAway, by: server) }
        // The request gets a number of this service: strangers must not be able to guess or block other clients'
        // numbers.
        var header = RequestHeader(key: link.numbers.next())
        header.origin = origin
        waiting.insert(request.address.key)
        let body = WireRequest.with { $0.signIn = signIn }.encoded
        channel.submit(header, body: body, milliseconds: request.remaining) { outcome in
            self.waiting.remove(request.address.key)
            guard case .answered(_, let body, _) = outcome else {
                return self.refuse(request, .storageAway, by: server)
            }
            switch ErrorCode(ofReply: body) {
            case .wrongPassword?: self.limits.failed(source, now: Monotonic.milliseconds)
            case nil: self.limits.succeeded(source, now: Monotonic.milliseconds)
            default: break
            }
            self.finishSignIn(CurveKey(bytes: [UInt8](signIn.key)), request, body, by: server)
        }
    }

    /// Answers a right password only when this service knows the new key too, so that its owner can connect at once.
    private func finishSignIn(_ key: CurveKey?, _ request: IncomingRequest, _ body: [UInt8], by server: RequestServer) {
        guard ErrorCode(ofReply: body) == nil, let key else {
            try? server.answer(request.address, ReplyHeader(), body)
            return
        }
        home.spawn {
            await self.accounts.pendingKeys.readings.wait(atMost: .milliseconds(request.remaining)) {
                self.accounts.book.knows(key)
            }
            try? server.answer(request.address, ReplyHeader(), body)
        }
    }

    private func refuse(_ request: IncomingRequest, _ error: ServiceError, by server: RequestServer) {
        try? server.refuse(request.address, ReplyHeader(), error)
    }
}

extension WireSignIn {
    /// Reads a request to sign in; nil for any other request.
    fileprivate init?(_ request: IncomingRequest) {
        guard request.address.kind == .signIn,
            case .signIn(let signIn)? = (try? WireRequest(serializedBytes: request.body))?.command
        else { return nil }
        self = signIn
    }
}

extension ServiceError {
    fileprivate static let onlyServerKey = ServiceError(
        .keyEnded, "This endpoint only tells the service's key: sign in with \"waymark login NAME\".")
    fileprivate static let onlySignIn = ServiceError(
        .keyEnded, "This endpoint is only for signing in: do so with \"waymark login NAME\".")
}
