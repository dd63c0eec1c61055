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
    /// The refusal of a client with which no version is in common; nil when there is one.
    ///
    /// Also when it is going to subscribe to a topic on which nothing will ever be published.
    public static func versions(_ hello: WireHello) -> ServiceError? {
        if !hello.topic.isEmpty {
            do throws(InvalidInput) { _ = try FeedTopic(Array(hello.topic)) } catch { return ServiceError(error) }
        }
        let ours = UInt32(WaymarkProtocol.version)
        guard hello.maxProtocol != 0, !(hello.minProtocol...max(hello.minProtocol, hello.maxProtocol)).contains(ours)
        else { return nil }
        return protocolVersion("\(hello.minProtocol) to \(hello.maxProtocol)")
    }

    static func protocolVersion(_ theirs: String) -> ServiceError {
        ServiceError(
            .protocolVersion,
            "You speak protocol version \(theirs), this service speaks \(WaymarkProtocol.version): bring both to the "
                + "same release.")
    }
}
