// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
internal import WaymarkTransport

/// Sends requests, and sends them again after a temporary refusal.
extension ClientConnection {
    /// The minimum of milliseconds that must be left to send a refused request again. A copy sent too late to be
    /// answered would make it unknown whether a write was executed, although the refusal proves that it was not.
    private static let worthwhile: UInt64 = 250

    /// Sends a request and waits for its answer.
    ///
    /// A request that was refused temporarily (`ErrorCode.isRetryable`) is sent again while time is left.
    ///
    /// - Parameters:
    ///   - author: the user or account to act for; nil for the client's own user.
    ///   - atLeast: the position that the answer must reflect; nil for the position of this client's last write.
    ///   - timeout: the time limit; nil for the client's time limit.
    /// - Returns: the encoded `Reply`, which is not a failure.
    nonisolated func send(
        _ request: EncodedRequest, by author: RequestAuthor? = nil, atLeast: Position? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (freshness: Freshness?, body: [UInt8]) {
        do throws(ServiceError) { try author?.key?.require(request.kind.row.permission) } catch {
            throw .refused(error)
        }
        let header = header(request, author, atLeast)
        // Services keep a request no longer than this. A caller that wants to wait longer has to send several requests.
        let longest = Double(WaymarkProtocol.timeoutMilliseconds)
        let milliseconds = max(0, min((timeout ?? options.timeout) / .milliseconds(1), longest))
        let deadline = Monotonic.milliseconds + UInt64(milliseconds)
        guard author?.once != nil else { return try await send(request, header, until: deadline) }
        // Another request with this identity may be under way. Storage gives both the same answer.
        let isMine = await withCheckedContinuation { (turn: RequestTurns.Turn) in
            if let answer = desk.withLock({ $0.turns.take(header.key, turn) }) { turn.resume(returning: answer) }
        }
        guard isMine else { throw .tooMany }
        defer { desk.withLock { $0.turns.end(header.key) }?.resume(returning: true) }
        guard Monotonic.milliseconds < deadline else { throw .timedOut(endpoint: options.endpoint) }
        return try await send(request, header, until: deadline)
    }

    private nonisolated func send(
        _ request: EncodedRequest, _ header: RequestHeader, until deadline: UInt64
    ) async throws(ClientError) -> (freshness: Freshness?, body: [UInt8]) {
        if request.kind == .signIn, request.body.count > WaymarkProtocol.signInBytes {
            let sentence = "A sign-in has at most \(WaymarkProtocol.signInBytes) bytes: take a shorter password."
            throw .refused(ServiceError(.tooLarge, sentence))
        }
        var known = RequestOutcome(isWrite: request.isWrite, endpoint: options.endpoint)
        let isHello = request.kind == .hello
        var isRenegotiated = isHello
        while true {
            let outcome = await exchange(
                header, request, version: isHello ? options.protocolVersions.lowerBound : nil,
                until: deadline)
            let failure: ConnectionFailure? = if case .answered = outcome { nil } else { await lastFailure }
            if let error = known.end(outcome, because: failure) { throw error }
            guard case .answered(let answer, let reply, _) = outcome else { continue }
            guard let error = ServiceError(ofReply: reply) else {
                let freshness = Freshness(answer)
                if request.isWrite, request.kind.changesLandmarks, let position = freshness?.position {
                    desk.withLock { $0.written = $0.latest(position) }
                }
                return (freshness, reply)
            }
            if [.epochChanged, .futureRevision].contains(error.code) { desk.withLock { $0.written = nil } }
            if error.code == .protocolVersion, !isRenegotiated {
                // The service now speaks another version. It has not executed the request; `hello` may find a common
                // version.
                isRenegotiated = true
                do throws(ClientError) { _ = try await hello() } catch { throw known.telling(error) }
                guard Monotonic.milliseconds < deadline else {
                    throw known.telling(.timedOut(endpoint: options.endpoint))
                }
                continue
            }
            let pause = UInt64(max(100, error.retryAfter))
            let isTimeLeft = { Monotonic.milliseconds + $0 + Self.worthwhile < deadline }
            if error.code.isRetryable, !request.isGuess, isTimeLeft(pause), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(pause))
                // On a busy machine the sleep may last longer than requested, so check again.
                if isTimeLeft(0) { continue }
            }
            throw known.telling(.refused(error))
        }
    }

    private nonisolated func header(
        _ request: EncodedRequest, _ author: RequestAuthor?, _ atLeast: Position?
    ) -> RequestHeader {
        let (next, written) = desk.withLock { $0.next() }
        var header = RequestHeader(
            key: author?.once.map { RequestKey(client: $0, sequence: 1) } ?? next,
            user: author?.user ?? options.user, atLeast: atLeast ?? (request.namesPosition ? nil : written))
        if let author { (header.account, header.origin) = (author.account, author.origin) }
        return header
    }

    /// Returns the error for an answer that cannot be read, which leaves open whether a write was executed.
    ///
    /// - Parameter name: the name of the answer; nil for the name of the request.
    nonisolated func unreadable(_ name: String?, to request: EncodedRequest) -> ClientError {
        var known = RequestOutcome(isWrite: request.isWrite, endpoint: options.endpoint)
        known.left(unanswered: 1)
        return known.telling(.unreadableAnswer(name ?? request.kind.name))
    }

    /// Sends a request in process, or hands it over to the loop, and waits for its outcome. The task leaves its thread
    /// once, and the loop resumes it directly.
    private nonisolated func exchange(
        _ header: RequestHeader, _ request: EncodedRequest, version: UInt8?, until deadline: UInt64
    ) async -> ChannelOutcome {
        let (key, now) = (header.key, Monotonic.milliseconds)
        let milliseconds = max(1, deadline - min(now, deadline))
        if let local = options.local, request.kind.mayBeLocal {
            if desk.withLock({ $0.isClosed }) { return .closed(copies: 0) }
            return await local.ask(header, body: request.body, milliseconds: milliseconds)
        }
        // If the task was already cancelled, send nothing.
        guard !Task.isCancelled else { return .cancelled(copies: 0) }
        let gathers = desk.withLock { $0.gathers() }
        if gathers { await Task.yield() }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { asker in
                handOver(
                    .submit(header, request.body, version: version, milliseconds: milliseconds, asker),
                    hasGathered: gathers)
                // The handler below may have run before the request was handed over.
                if Task.isCancelled { handOver(.cancel(key)) }
            }
        } onCancel: {
            handOver(.cancel(key))
        }
    }

    private var lastFailure: ConnectionFailure? { channel?.lastFailure }

    private nonisolated func handOver(_ step: RequestDesk.Step, hasGathered: Bool = false) {
        guard desk.withLock({ $0.put(step, hasGathered: hasGathered) }) else { return }
        loop.submit { self.assumeIsolated { $0.takeSteps() } }
    }

    /// Takes the steps that callers have handed over, and sends their requests together.
    private func takeSteps() {
        let steps = desk.withLock { $0.takeSteps() }
        guard let channel else {
            for case .submit(_, _, _, _, let asker) in steps { asker.resume(returning: .closed(copies: 0)) }
            return
        }
        channel.together {
            for step in steps {
                switch step {
                case .submit(let header, let body, let version, let milliseconds, let asker):
                    channel.submit(header, body: body, version: version, milliseconds: milliseconds) {
                        asker.resume(returning: $0)
                    }
                case .cancel(let key): channel.cancel(key)
                }
            }
        }
    }
}

extension Freshness {
    init?(_ header: ReplyHeader) {
        guard let position = header.position else { return nil }
        self.init(position: position, age: header.ageMs, isStorageAway: header.storageAway)
    }
}
