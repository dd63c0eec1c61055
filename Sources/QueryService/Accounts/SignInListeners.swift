// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import ServiceHost
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
internal import WebServer
import ZeroMQ

/// Two sockets for clients whose key belongs to no account yet ("strangers"). The server-key endpoint tells the
/// service's public key, unencrypted. The endpoint for signing in admits any key, and takes passwords. Limits are low.
final class SignInListeners {
    /// The maximum number of strangers connected to one socket at the same time.
    private static let connections = 64
    /// The maximum number of messages from one stranger that wait to be received.
    private static let backlog = 64
    /// The number of requests that a stranger may send at once before the rate limit applies.
    private static let atOnce = 64.0
    /// The maximum number of attempts to sign in that wait for storage.
    private static let mostWaiting = 64

    private let access: QueryAccess
    private let accounts: KnownAccounts
    private let link: StorageLink
    private let home: Home
    private var signIn: RequestServer?
    private var serverKey: RequestServer?
    /// The remaining allowance of each stranger, by address, or by key if the key belonged to an account before. A
    /// request beyond the allowance is dropped before its body is read. It gets no answer, because an answer would have
    /// to be encrypted; clients send a request again by themselves.
    private var strangers: TokenBuckets<String>
    /// The attempts to sign in that wait for storage. If a client sends a waiting request again, the repetition is
    /// dropped: the answer to the first request serves both.
    private var waiting: Set<RequestKey> = []
    /// The latest wrong passwords, with their answers. A repetition may arrive after its answer was sent; it gets the
    /// same one, and does not count as another guess.
    private var wrong: [(request: RequestKey, answer: [UInt8])] = []
    /// The limits that this service applies alone. Storage applies further limits to all services together.
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
            // A client whose key belonged to an account before has an allowance of its own, so that strangers at the
            // same address cannot use it up.
            guard isAllowed(from: accounts.book.knows(key) ? key.z85 : IPAddress.share(of: server.origin)) else {
                return
            }
            guard var signIn = WireSignIn(request) else { return refuse(request, .onlySignIn, by: server) }
            // No proof that the client owns the key is needed, as with `add_key`: only the secret's owner can use it.
            if signIn.key.isEmpty { signIn.key = Data(key.bytes) }
            (signIn.before, signIn.kind) = (Data(key.bytes), .curve)
            pass(signIn, request, from: server.origin, by: server)
        }
    }

    private func isAllowed(from address: String) -> Bool {
        strangers.takes(address, now: Monotonic.milliseconds)
    }

    /// Signs somebody in on behalf of another service. The HTTP interface sends such requests: they name the key of the
    /// browser's session and the address that the browser's request came from.
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
        if let known = wrong.first(where: { $0.request == request.address.key }) {
            return finishSignIn(nil, request, known.answer, by: server)
        }
        let source = accounts.book.source(
            signIn.name.normal, address: IPAddress.share(of: origin), before: CurveKey(bytes: [UInt8](signIn.before)))
        // As many places again are reserved for people who have signed in from here before.
        guard waiting.count < Self.mostWaiting + (source.isProven ? Self.mostWaiting : 0) else {
            let busy = ServiceError(.busy, "Too many people sign in: try again.", retryAfter: 1_000)
            return refuse(request, busy, by: server)
        }
        // The limits are checked here, before an attempt causes any other work.
        if let wait = limits.begin(source, now: Monotonic.milliseconds) {
            return refuse(request, .tooManyAttempts(wait: wait), by: server)
        }
        guard let channel = link.channel, !link.isAway else { return refuse(request, .storageAway, by: server) }
        // The request to storage gets a number that this service chooses, so that strangers can neither guess nor block
        // the numbers of other clients' requests.
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
            case .wrongPassword?:
                self.limits.failed(source, now: Monotonic.milliseconds)
                self.wrong = self.wrong.suffix(Self.mostWaiting - 1) + [(request.address.key, body)]
            case nil: self.limits.succeeded(source, now: Monotonic.milliseconds)
            default: break
            }
            self.finishSignIn(CurveKey(bytes: [UInt8](signIn.key)), request, body, by: server)
        }
    }

    /// Answers a request to sign in. If it succeeded, the answer waits until this service knows the new key, so that
    /// the key's owner can connect at once.
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
