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
    /// Why a client cannot be welcomed: no version is in common, or it is going to subscribe to a topic on which nothing
    /// will ever be published. Nil when it can.
    public static func refusal(of hello: WireHello) -> ServiceError? {
        let ours = UInt32(WaymarkProtocol.version)
        let theirs = hello.minProtocol...max(hello.minProtocol, hello.maxProtocol)
        guard hello.maxProtocol == 0 || theirs.contains(ours) else {
            return protocolVersion("\(hello.minProtocol) to \(hello.maxProtocol)")
        }
        guard !hello.topic.isEmpty else { return nil }
        do throws(InvalidInput) { _ = try FeedTopic(Array(hello.topic)) } catch { return ServiceError(error) }
        return nil
    }

    static func protocolVersion(_ theirs: String) -> ServiceError {
        ServiceError(
            .protocolVersion,
            "You speak protocol version \(theirs), this service speaks \(WaymarkProtocol.version): bring both to the "
                + "same release.")
    }
}
