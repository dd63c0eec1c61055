// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// Makes a channel's own greetings, by which it learns whether an endpoint serves, and reads their answers.
struct Greeter {
    enum Verdict {
        case welcome(WireWelcome)
        /// It serves, but in another version of the protocol, or does not know the account: its owner hears that from the
        /// answers to his own requests.
        case refused
        case notServing
    }

    private var key: RequestKey
    private let versions: ClosedRange<UInt8>
    private let body: [UInt8]

    init(_ versions: ClosedRange<UInt8>) {
        var generator = UUIDv7Generator()
        key = RequestKey(client: generator.next(now: WallClock.milliseconds), sequence: 0)
        self.versions = versions
        body = WireRequest.hello(versions, agent: "waymark \(Product.version)").encoded
    }

    /// The frames of another greeting.
    mutating func next(_ now: UInt64) -> [[UInt8]] {
        key.sequence += 1
        var header = WireWriter()
        RequestHeader(key: key).write(sent: max(1, now), timeout: UInt32(EndpointTurns.attempt), into: &header)
        return [Signature(.request, version: versions.lowerBound).bytes, header.bytes, body]
    }

    /// Whether an answer is to a greeting. All of a channel's greetings are equal, so it does not matter to which.
    func isAsked(_ answered: RequestKey) -> Bool { answered.client == key.client }

    func verdict(_ reply: [UInt8]) -> Verdict {
        switch (try? WireReply(serializedBytes: reply))?.result {
        case .welcome(let welcome)?: .welcome(welcome)
        case .failure(let failure)? where failure.code != ErrorCode.unavailable.rawValue: .refused
        default: .notServing
        }
    }
}
