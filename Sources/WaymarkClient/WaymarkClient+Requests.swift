// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import Landmarks
import SwiftProtobuf
public import WaymarkProtocol
internal import WaymarkTransport

/// Sends requests, and repeats them after a refusal that may pass.
extension WaymarkClient {
    /// The least time for which a refused request is sent once more. A copy without an answer would turn a write that was
    /// surely not done into one that may be.
    private static let worthwhile = Duration.milliseconds(250)

    /// Sends a request and waits for its answer.
    ///
    /// A refusal that may pass (`ErrorCode.isRetryable`) is retried while time is left.
    ///
    /// - Parameter atLeast: the answer must reflect this position or a later one; nil stands for the position of this
    ///   client's last write.
    public func send(
        _ request: WireRequest, atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (Standing?, WireReply) {
        try await send(request, by: nil, atLeast: atLeast, timeout: timeout)
    }

    func send(
        _ request: WireRequest, by author: RequestAuthor?, atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (Standing?, WireReply) {
        let (standing, body) = try await sendEncoded(request, by: author, atLeast: atLeast, timeout: timeout)
        guard let reply = try? WireReply(serializedBytes: body) else { throw unreadable("reply", to: request) }
        return (standing, reply)
    }

    /// Like ``send(_:atLeast:timeout:)``, but landmarks in the answer stay encoded.
    func sendReady(_ request: WireRequest) async throws(ClientError) -> (Standing?, WireReadyReply) {
        let (standing, body) = try await sendEncoded(request, atLeast: nil, timeout: nil)
        guard let reply = try? WireReadyReply(serializedBytes: body) else { throw unreadable("reply", to: request) }
        return (standing, reply)
    }

    /// An unreadable answer leaves open whether a write was done.
    func unreadable(_ what: String, to request: WireRequest) -> ClientError {
        var fate = RequestFate(isWrite: request.isWrite, endpoint: options.endpoint)
        fate.left(unanswered: 1)
        return fate.telling(.unreadableAnswer(what))
    }

    private func sendEncoded(
        _ request: WireRequest, by author: RequestAuthor? = nil, atLeast: Position?, timeout: Duration?
    ) async throws(ClientError) -> (Standing?, [UInt8]) {
        sequence += 1
        var header = RequestHeader(
            key: author?.once.map { RequestKey(client: $0, sequence: 1) }
                ?? RequestKey(client: identity, sequence: sequence),
            user: author?.user ?? options.user,
            atLeast: atLeast ?? (request.namesPosition ? nil : written))
        if let author { (header.account, header.origin) = (author.account, author.origin) }
        let body = request.encoded
        if case .signIn? = request.command, body.count > WaymarkProtocol.signInBytes {
            let sentence = "A sign-in has at most \(WaymarkProtocol.signInBytes) bytes: take a shorter password."
            throw .refused(ServiceError(.tooLarge, sentence))
        }
        // Services keep a request for at most this time. A caller that waits longer has to send several requests.
        let longest = Duration.milliseconds(WaymarkProtocol.timeoutMilliseconds)
        let deadline = ContinuousClock.now + min(timeout ?? options.timeout, longest)
        var fate = RequestFate(isWrite: request.isWrite, endpoint: options.endpoint)
        var isRenegotiated = request.isHello
        while true {
            let outcome = await exchange(
                header, body, version: request.isHello ? options.protocolVersions.lowerBound : nil,
                left: deadline - ContinuousClock.now)
            if let error = fate.end(outcome, because: channel?.lastFailure) { throw error }
            guard case .answered(let answer, let reply, _) = outcome else { continue }
            guard let failure = WireFailure(ofReply: reply) else {
                let standing = Standing(answer)
                if request.isWrite, request.kind.changesLandmarks, let position = standing?.position { wrote(position) }
                return (standing, reply)
            }
            let error = ServiceError(failure)
            if [.epochChanged, .futureRevision].contains(error.code) { written = nil }
            if error.code == .protocolVersion, !isRenegotiated {
                // The service is another release now. It has not done the request, and another version may be in
                // common.
                isRenegotiated = true
                do throws(ClientError) { _ = try await hello() } catch { throw fate.telling(error) }
                guard ContinuousClock.now < deadline else {
                    throw fate.telling(.timedOut(endpoint: options.endpoint))
                }
                continue
            }
            let pause = Duration.milliseconds(max(100, Int64(error.retryAfter)))
            let isTimeLeft = { ContinuousClock.now + $0 + Self.worthwhile < deadline }
            if error.code.isRetryable, !request.isGuess, isTimeLeft(pause), !Task.isCancelled {
                try? await Task.sleep(for: pause)
                // On a busy machine the sleep may last longer than requested.
                if isTimeLeft(.zero) { continue }
            }
            throw fate.telling(.refused(error))
        }
    }

    private func exchange(
        _ header: RequestHeader, _ body: [UInt8], version: UInt8?, left: Duration
    ) async -> ChannelOutcome {
        let key = header.key
        return await withTaskCancellationHandler {
            await self.ask(header, body, version, milliseconds: UInt64(max(1, left / .milliseconds(1))))
        } onCancel: {
            Task { await self.cancelRequest(key) }
        }
    }

    /// A separate method, because the body of a cancellation handler does not run on the actor.
    private func ask(
        _ header: RequestHeader, _ body: [UInt8], _ version: UInt8?, milliseconds: UInt64
    ) async -> ChannelOutcome {
        guard let channel else { return .closed(copies: 0) }
        // A task that was cancelled before has sent nothing.
        guard !Task.isCancelled else { return .cancelled(copies: 0) }
        return await withCheckedContinuation { continuation in
            channel.submit(header, body: body, version: version, milliseconds: milliseconds) {
                continuation.resume(returning: $0)
            }
        }
    }

    private func cancelRequest(_ key: RequestKey) { channel?.cancel(key) }

    private func wrote(_ position: Position) {
        guard let seen = written, seen.epoch == position.epoch, seen.rev > position.rev else {
            written = position
            return
        }
    }
}

extension WireFailure {
    /// Nil when the encoded reply is not a failure. A failure is field 1 and then the only field.
    init?(ofReply bytes: [UInt8]) {
        guard bytes.withUnsafeBytes({ WireFields.opening($0) }) == ReplyField.failure.rawValue,
            case .failure(let failure)? = (try? WireReply(serializedBytes: bytes))?.result
        else { return nil }
        self = failure
    }
}

extension Standing {
    init?(_ header: ReplyHeader) {
        guard let position = header.position else { return nil }
        self.init(position: position, age: header.ageMs, isStorageAway: header.storageAway)
    }
}

extension WireRequest {
    /// Whether the request names its own position. Another one must not hide that the named position is gone.
    fileprivate var namesPosition: Bool {
        switch command {
        case .hello, .changes, .snapshot: true
        default: false
        }
    }

    /// Whether it has a password that was typed by somebody: whoever guesses waits, not this client.
    fileprivate var isGuess: Bool {
        if case .signIn(let signIn)? = command { signIn.kind == .session } else { false }
    }

    fileprivate var isHello: Bool {
        if case .hello? = command { true } else { false }
    }

    /// Whether the request may change something. A sign-in counts as none: it may be repeated, whatever became of it.
    public var isWrite: Bool {
        switch command {
        case .ingest(let ingest)?: !ingest.dryRun
        case .signIn?: false
        default: kind.isWrite
        }
    }
}
