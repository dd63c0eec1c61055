// SPDX-License-Identifier: Apache-2.0

internal import Ingest
internal import Support
internal import WaymarkProtocol

/// The result of one try.
enum HookOutcome: Sendable, Equatable {
    case taken
    /// The receiver wants no more (410).
    case gone(String)
    /// `retryAfter` is the pause that the receiver asks for; nil if it asks for none.
    case failed(String, retryAfter: Duration? = nil)
}

/// Sends messages of one hook.
protocol HookSending: Sendable {
    /// Tries once to send a message.
    ///
    /// - Parameters:
    ///   - hook: the hook as it is now, with its secrets.
    ///   - mayTry: whether this service may still send, after the wait for its turn among the hooks.
    /// - Returns: nil if there was no try.
    func send(_ message: HookMessage, of hook: WireHook, if mayTry: @Sendable () -> Bool) async -> HookOutcome?
    /// Closes the connection until the next message.
    func rest()
}

/// Sends messages by HTTP.
final class HookDelivery: HookSending {
    /// The tries that the service makes at the same time, each on a thread. Further ones wait: first come, first
    /// served.
    typealias Seats = Pool<Int>

    static let mostTries = 256

    private let post: Result<WebPost, SourceLocationError>
    private let seats: Seats
    private let clock: HookClock

    init(to url: String, _ limits: WebPost.Limits, seats: Seats, clock: HookClock) {
        post = Result { () throws(SourceLocationError) in try WebPost(to: url, limits) }
        (self.seats, self.clock) = (seats, clock)
    }

    func rest() { try? post.get().rest() }

    func send(_ message: HookMessage, of hook: WireHook, if mayTry: @Sendable () -> Bool) async -> HookOutcome? {
        let post: WebPost
        do { post = try self.post.get() } catch { return .failed(error.description) }
        let seat = await withCheckedContinuation { turn in seats.take { turn.resume(returning: $0) } }
        defer { seats.giveBack(seat) }
        guard !Task.isCancelled, mayTry() else { return nil }
        let now = clock.unix()
        let seconds = now / 1_000
        let secrets = [hook.secret] + (hook.formerUntil > now ? [hook.formerSecret] : [])
        let signature = HookSignature.header(id: message.id, seconds: seconds, body: message.body, secrets: secrets)
        let fields: [(name: String, value: String)] = [
            ("Content-Type", message.contentType), ("webhook-id", message.id), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", signature),
        ]
        switch await post.send(message.body, fields: fields) {
        case .success(let answer) where (200...299).contains(answer.status): return .taken
        case .success(let answer):
            let why = "\(FetchError.Reason.status(answer.status, retryAfter: answer.retryAfter))"
            return answer.status == 410 ? .gone(why) : .failed(why, retryAfter: answer.retryAfter)
        case .failure(.cancelled): return nil
        case .failure(let reason): return .failed("\(reason)")
        }
    }
}
