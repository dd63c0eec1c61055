// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf
import WaymarkProtocol

/// Finds out which of a service's several endpoints serves, by sending a greeting (`hello`) to one after the other.
/// Keeps the refusals of requests until the answer to the next greeting shows why the endpoint refused them. Does no
/// I/O; all times are monotonic milliseconds.
struct EndpointChoice {
    typealias Refusal = (header: ReplyHeader, body: [UInt8])

    /// The meaning of an answer to a greeting.
    enum Verdict {
        case welcome(WireWelcome)
        /// The endpoint serves, but in another version of the protocol, or without knowing the account. The owner of
        /// the channel learns the reason from the answers to its own requests.
        case refused
        case notServing
    }

    private(set) var failover: EndpointFailover
    /// The sequence of keys for the greetings, which the channel itself makes.
    private var numbers = RequestNumbers()
    private let versions: ClosedRange<UInt8>
    private let greeting: [UInt8]
    /// Requests that the present endpoint refused because it does not serve.
    private var refusals: [RequestKey: Refusal] = [:]
    /// The reason why the channel left the previous endpoint.
    private(set) var failureBefore: ConnectionFailure?

    init(count: Int, versions: ClosedRange<UInt8>, now: UInt64) {
        failover = EndpointFailover(count: count, now: now)
        self.versions = versions
        greeting = WireRequest.hello(versions, agent: "waymark \(Product.version)").encoded
    }

    mutating func opened(_ now: UInt64) { failover.opened(now) }

    /// Records that a greeting is sent now, and returns its frames.
    mutating func greet(_ now: UInt64) -> [[UInt8]] {
        failover.greeted(now)
        var header = WireWriter()
        RequestHeader(key: numbers.next()).write(
            sent: max(1, now), timeout: UInt32(EndpointFailover.attempt), into: &header)
        return [Signature(.request, version: versions.lowerBound).bytes, header.bytes, greeting]
    }

    /// Handles an answer.
    ///
    /// - Returns: the verdict on the endpoint, or nil if the answer does not answer a greeting. Any of the channel's
    ///   greetings will do, because they are all equal.
    mutating func heard(_ key: RequestKey?, _ reply: [UInt8], _ now: UInt64) -> Verdict? {
        failover.heard(now)
        guard let key, key.client == numbers.client else { return nil }
        return switch (try? WireReply(serializedBytes: reply))?.result {
        case .welcome(let welcome)?: .welcome(welcome)
        case .failure(let failure)? where failure.code != ErrorCode.unavailable.rawValue: .refused
        default: .notServing
        }
    }

    /// Keeps a refusal, because the endpoint may have stopped serving while the next one may serve.
    ///
    /// - Returns: whether the endpoint has to be greeted, which is the case after the first refusal.
    mutating func keep(_ refusal: Refusal, of key: RequestKey) -> Bool {
        defer { refusals[key] = refusal }
        return refusals.isEmpty
    }

    /// Records that the endpoint serves.
    ///
    /// - Returns: whether the endpoint begins to serve now, and the kept refusals. Since the endpoint serves, it
    ///   refused the requests for another reason, so the refusals are their answers.
    mutating func welcomed(_ now: UInt64) -> (begins: Bool, refusals: [RequestKey: Refusal]) {
        defer { refusals = [:] }
        let begins = failover.welcomed(now)
        if begins { failureBefore = nil }
        return (begins, refusals)
    }

    /// Moves to the next endpoint because the current one does not serve. All waiting requests are sent again there.
    ///
    /// - Parameter failure: the reason why there is no connection, if known.
    mutating func failed(_ failure: ConnectionFailure?, _ now: UInt64) {
        failureBefore = failure ?? failureBefore
        failover.failed(now)
        refusals = [:]
    }
}
