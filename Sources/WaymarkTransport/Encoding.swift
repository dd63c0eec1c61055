// SPDX-License-Identifier: Apache-2.0

import Landmarks
public import SwiftProtobuf
public import WaymarkProtocol

extension SwiftProtobuf.Message {
    /// The encoded message. Encoding fails only where a required field is not set, and proto3 has none.
    public var encoded: [UInt8] { (try? serializedBytes()) ?? [] }
}

extension WireReply {
    public init(_ error: ServiceError) {
        self.init()
        failure = error.wire
    }
}

extension WireLimits {
    /// What this version allows.
    public static let ours = WireLimits.with {
        $0.messageBytes = UInt64(WaymarkProtocol.messageBytes)
        $0.pageRows = UInt32(WaymarkProtocol.pageRows)
        $0.ingestRows = UInt32(WaymarkProtocol.ingestRows)
    }
}

extension ServiceError {
    /// A service does not speak the version of a request.
    public static func protocolVersion(
        _ theirs: ClosedRange<UInt32>, ours: ClosedRange<UInt8>
    ) -> ServiceError {
        func words(_ lower: Int, _ upper: Int) -> String { lower == upper ? "\(lower)" : "\(lower) to \(upper)" }
        return ServiceError(
            .protocolVersion,
            "You speak protocol version \(words(Int(theirs.lowerBound), Int(theirs.upperBound))), this service speaks "
                + "\(words(Int(ours.lowerBound), Int(ours.upperBound))): bring both to releases that have one in common."
        )
    }
}

extension WireHello {
    /// The version to speak from now on: the highest that both sides know.
    ///
    /// - Parameters:
    ///   - spoken: the one that this message was sent in, for a peer that does not tell what it speaks.
    ///   - ours: what the service speaks.
    /// - Throws: no version is in common, or the peer is going to subscribe to a topic on which nothing will ever be
    ///   published.
    public func agreed(spoken: UInt8, ours: ClosedRange<UInt8>) throws(ServiceError) -> UInt8 {
        let lowest = maxProtocol == 0 ? UInt32(spoken) : minProtocol
        let highest = max(lowest, maxProtocol)
        let chosen = min(highest, UInt32(ours.upperBound))
        guard chosen >= max(lowest, UInt32(ours.lowerBound)) else {
            throw .protocolVersion(lowest...highest, ours: ours)
        }
        guard !topic.isEmpty else { return UInt8(chosen) }
        do throws(InvalidInput) { _ = try FeedTopic(Array(topic)) } catch { throw ServiceError(error) }
        return UInt8(chosen)
    }
}
