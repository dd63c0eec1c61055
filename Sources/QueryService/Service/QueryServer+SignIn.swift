// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
internal import Landmarks
import Logging
import SwiftProtobuf
import WaymarkProtocol
internal import WaymarkTransport
internal import WebServer
import ZeroMQ

/// The sockets for those who have no key of an account yet: the door tells the service's public key, in the clear; the
/// other one admits any key, and takes passwords. Both take little at a time.
extension QueryServer {
    func listenForStrangers() throws {
        guard let access = options.access else { return }
        if let endpoint = access.signIn {
            let server = try RequestServer(
                loop: loop, context: context, endpoint: endpoint, connections: Doors.connections,
                versions: options.protocolVersions,
                security: .curveServer(secretKey: access.keys.secretKey, domain: KeyDomain.signIn),
                messageBytes: WaymarkProtocol.signInBytes, backlog: Doors.backlog)
            doors.signIn = server
            server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.takeSignIns() } }
        }
        if let endpoint = access.door {
            let server = try RequestServer(
                loop: loop, context: context, endpoint: endpoint, connections: Doors.connections,
                versions: options.protocolVersions, messageBytes: WaymarkProtocol.signInBytes, backlog: Doors.backlog)
            doors.door = server
            server.start(on: loop) { [weak self] in self?.assumeIsolated { $0.answerDoor() } }
        }
    }

    /// Where to sign in; nil: nowhere.
    public var signInEndpoint: String? { doors.signIn?.endpoint }
    /// Where to ask for the service's public key; nil: nowhere.
    public var doorEndpoint: String? { doors.door?.endpoint }

    private func answerDoor() {
        guard let server = doors.door, let access = options.access else { return }
        try? server.receive(count: 16, bytes: 64 * 1024) { request in
            guard isTaken(from: IPAddress.share(of: server.origin)) else { return }
            let reply: WireReply =
                if request.address.kind == .door {
                    .with {
                        $0.door.key = Data(access.keys.publicKey.bytes)
                        $0.door.signInEndpoint = Endpoint.announced(
                            access.advertisedSignIn ?? doors.signIn?.endpoint ?? "")
                    }
                } else {
                    WireReply(.onlyDoor)
                }
            try? server.answer(request.address, ReplyHeader(), reply.encoded)
        }
    }

    private func takeSignIns() {
        guard let server = doors.signIn else { return }
        try? server.receive(count: 16, bytes: 64 * 1024) { request in
            guard let key = request.key else { return refuse(request, .onlySignIn, by: server) }
            // Whoever connects with a key of before waits behind nobody at his address.
            guard isTaken(from: accounts.book.knows(key) ? key.z85 : IPAddress.share(of: server.origin)) else { return }
            guard var signIn = WireSignIn(request) else { return refuse(request, .onlySignIn, by: server) }
            // A key needs no proof, as with `add_key`: whoever has its secret is let in, and nobody else.
            if signIn.key.isEmpty { signIn.key = Data(key.bytes) }
            (signIn.before, signIn.kind) = (Data(key.bytes), .curve)
            pass(signIn, request, from: server.origin, by: server)
        }
    }

    private func isTaken(from address: String) -> Bool {
        doors.pace.takes(address, rate: options.access?.strangersRate ?? 0, now: Monotonic.milliseconds)
    }

    /// Signs somebody in for a service: the HTTP interface says which browser's session it is, and from where it came.
    func signIn(_ request: IncomingRequest) {
        guard let server else { return }
        guard let signIn = WireSignIn(request) else {
            return refuse(request.address, ServiceError(.badFrame, "The request cannot be read: it is no SignIn."))
        }
        pass(signIn, request, from: request.header.origin, by: server)
    }

    private func pass(
        _ signIn: WireSignIn, _ request: IncomingRequest, from origin: String, by server: RequestServer
    ) {
        guard !doors.waiting.contains(request.address.key) else { return }
        let source = accounts.book.source(
            signIn.name.normal, address: IPAddress.share(of: origin), before: CurveKey(bytes: [UInt8](signIn.before)))
        // Some room is for those who have been in before.
        guard doors.waiting.count < Doors.mostWaiting + (source.isProven ? Doors.mostWaiting : 0) else {
            let busy = ServiceError(.busy, "Too many people sign in: try again.", retryAfter: 1_000)
            return refuse(request, busy, by: server)
        }
        // A flood of attempts ends here, before it costs anything else.
        if let wait = doors.limits.begin(source, now: Monotonic.milliseconds) {
            return refuse(request, .tooManyAttempts(wait: wait), by: server)
        }
        guard let storage, !isStorageAway else { return refuse(request, .storageAway, by: server) }
        // A number of this service's own: strangers must not be able to guess or block those of others.
        var header = RequestHeader(key: numbers.next())
        header.origin = origin
        doors.waiting.insert(request.address.key)
        let body = WireRequest.with { $0.signIn = signIn }.encoded
        storage.submit(header, body: body, milliseconds: request.remaining) { outcome in
            self.doors.waiting.remove(request.address.key)
            guard case .answered(_, let body, _) = outcome else {
                return self.refuse(request, .storageAway, by: server)
            }
            switch ErrorCode(ofReply: body) {
            case .wrongPassword?: self.doors.limits.failed(source, now: Monotonic.milliseconds)
            case nil: self.doors.limits.succeeded(source, now: Monotonic.milliseconds)
            default: break
            }
            self.finishSignIn(CurveKey(bytes: [UInt8](signIn.key)), request, body, by: server)
        }
    }

    /// Answers when this service knows the key too, so that its owner can connect at once.
    private func finishSignIn(_ key: CurveKey?, _ request: IncomingRequest, _ body: [UInt8], by server: RequestServer) {
        guard ErrorCode(ofReply: body) == nil, let key else {
            try? server.answer(request.address, ReplyHeader(), body)
            return
        }
        Task {
            let deadline = Monotonic.milliseconds + request.remaining
            while !accounts.book.knows(key), Monotonic.milliseconds < deadline {
                try? await Task.sleep(for: .milliseconds(1))
            }
            try? server.answer(request.address, ReplyHeader(), body)
        }
    }

    private func refuse(_ request: IncomingRequest, _ error: ServiceError, by server: RequestServer) {
        try? server.refuse(request.address, ReplyHeader(), error)
    }
}

extension WireSignIn {
    /// Nil for another request.
    fileprivate init?(_ request: IncomingRequest) {
        guard request.address.kind == .signIn,
            case .signIn(let signIn)? = (try? WireRequest(serializedBytes: request.body))?.command
        else { return nil }
        self = signIn
    }
}

extension ServiceError {
    fileprivate static let onlyDoor = ServiceError(
        .keyEnded, "This is the door, which only tells the service's key: sign in with \"waymark login NAME\".")
    fileprivate static let onlySignIn = ServiceError(
        .keyEnded, "Here one can only sign in: do so with \"waymark login NAME\".")
}
