// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
public import WaymarkProtocol

extension WireRequest {
    public var kind: RequestKind { RequestKind(body: encoded) }

    /// Makes a `hello` that offers these protocol versions.
    ///
    /// - Parameter topic: the topic to which the client is going to subscribe; nil if it is not going to subscribe.
    public static func hello(
        _ versions: ClosedRange<UInt8>, agent: String, topic: FeedTopic? = nil
    ) -> WireRequest {
        .with {
            ($0.hello.minProtocol, $0.hello.maxProtocol) = (UInt32(versions.lowerBound), UInt32(versions.upperBound))
            $0.hello.agent = agent
            if let topic { $0.hello.topic = Data(topic.bytes) }
        }
    }
}

extension WireLimits {
    /// The limits that this version of Waymark enforces.
    public static let ours = WireLimits.with {
        $0.messageBytes = UInt64(WaymarkProtocol.messageBytes)
        $0.pageRows = UInt32(WaymarkProtocol.pageRows)
        $0.ingestRows = UInt32(WaymarkProtocol.ingestRows)
    }
}

extension ServiceError {
    /// The error for a request that is not sent because no service accepts a frame of that size.
    public static let requestTooLarge = ServiceError(
        .tooLarge, "The request is larger than \(WaymarkProtocol.messageBytes) bytes: send it in parts.")

    /// Makes the error for a request in a protocol version that the service does not speak.
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
    /// Returns the protocol version to use from now on: the highest one that both sides speak.
    ///
    /// - Parameters:
    ///   - spoken: the version in which this `hello` was sent. Used if the client names no versions.
    ///   - ours: the versions that the service speaks.
    /// - Throws: an error if they have no version in common, or if nothing is ever published on the client's topic.
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
