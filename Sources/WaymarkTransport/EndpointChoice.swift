// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// How a channel finds out which of several endpoints serves: greets them in their turns, and keeps refusals of which only
/// the answer to the next greeting tells the meaning. Pure; all times are monotonic milliseconds.
struct EndpointChoice {
    typealias Refusal = (header: ReplyHeader, body: [UInt8])

    private(set) var turns: EndpointTurns
    private var greeter: Greeter
    /// Requests that the present endpoint refused as not serving.
    private var refusals: [RequestKey: Refusal] = [:]
    /// Why the endpoint before the present one was left.
    private(set) var failureBefore: ConnectionFailure?

    init(count: Int, versions: ClosedRange<UInt8>, now: UInt64) {
        turns = EndpointTurns(count: count, now: now)
        greeter = Greeter(versions)
    }

    mutating func opened(_ now: UInt64) { turns.opened(now) }

    /// The frames of a greeting, to be sent now.
    mutating func greet(_ now: UInt64) -> [[UInt8]] {
        turns.greeted(now)
        return greeter.next(now)
    }

    /// An answer arrived.
    ///
    /// - Returns: its verdict, if it is the answer to a greeting.
    mutating func heard(_ key: RequestKey?, _ reply: [UInt8], _ now: UInt64) -> Greeter.Verdict? {
        turns.heard(now)
        guard let key, greeter.isAsked(key) else { return nil }
        return greeter.verdict(reply)
    }

    /// Keeps a refusal: the endpoint may not serve any more, and the next one may.
    ///
    /// - Returns: whether the endpoint is to be greeted, because it is the first one.
    mutating func keep(_ refusal: Refusal, of key: RequestKey) -> Bool {
        defer { refusals[key] = refusal }
        return refusals.isEmpty
    }

    /// The endpoint serves.
    ///
    /// - Returns: whether it begins to with that; and the refusals, which are about the requests then.
    mutating func welcomed(_ now: UInt64) -> (begins: Bool, refusals: [RequestKey: Refusal]) {
        defer { refusals = [:] }
        let begins = turns.welcomed(now)
        if begins { failureBefore = nil }
        return (begins, refusals)
    }

    /// The endpoint does not serve: it is the turn of the next one, at which all waiting requests are asked again.
    ///
    /// - Parameter failure: why there is no connection, if that is known.
    mutating func failed(_ failure: ConnectionFailure?, _ now: UInt64) {
        failureBefore = failure ?? failureBefore
        turns.failed(now)
        refusals = [:]
    }
}
