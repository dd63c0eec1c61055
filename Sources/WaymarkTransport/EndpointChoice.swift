// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// How a channel finds out which of several endpoints serves: greets them in their turns, and keeps refusals of which only
/// the answer to the next greeting tells the meaning. Pure; all times are monotonic milliseconds.
struct EndpointChoice {
    typealias Refusal = (header: ReplyHeader, body: [UInt8])

    /// What the answer to a greeting says of the endpoint.
    enum Verdict {
        case welcome(WireWelcome)
        /// It serves, but in another version of the protocol, or does not know the account: its owner hears that from the
        /// answers to his own requests.
        case refused
        case notServing
    }

    private(set) var turns: EndpointTurns
    /// Those of the channel's own greetings.
    private var numbers = RequestNumbers()
    private let versions: ClosedRange<UInt8>
    private let greeting: [UInt8]
    /// Requests that the present endpoint refused as not serving.
    private var refusals: [RequestKey: Refusal] = [:]
    /// Why the endpoint before the present one was left.
    private(set) var failureBefore: ConnectionFailure?

    init(count: Int, versions: ClosedRange<UInt8>, now: UInt64) {
        turns = EndpointTurns(count: count, now: now)
        self.versions = versions
        greeting = WireRequest.hello(versions, agent: "waymark \(Product.version)").encoded
    }

    mutating func opened(_ now: UInt64) { turns.opened(now) }

    /// The frames of a greeting, to be sent now.
    mutating func greet(_ now: UInt64) -> [[UInt8]] {
        turns.greeted(now)
        var header = WireWriter()
        RequestHeader(key: numbers.next()).write(
            sent: max(1, now), timeout: UInt32(EndpointTurns.attempt), into: &header)
        return [Signature(.request, version: versions.lowerBound).bytes, header.bytes, greeting]
    }

    /// An answer arrived.
    ///
    /// - Returns: its verdict, if it is the answer to a greeting. All of a channel's greetings are equal, so it does not
    ///   matter to which.
    mutating func heard(_ key: RequestKey?, _ reply: [UInt8], _ now: UInt64) -> Verdict? {
        turns.heard(now)
        guard let key, key.client == numbers.client else { return nil }
        return switch (try? WireReply(serializedBytes: reply))?.result {
        case .welcome(let welcome)?: .welcome(welcome)
        case .failure(let failure)? where failure.code != ErrorCode.unavailable.rawValue: .refused
        default: .notServing
        }
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
