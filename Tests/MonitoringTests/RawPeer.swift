// SPDX-License-Identifier: Apache-2.0

import Landmarks
import SwiftProtobuf
import TestSupport
import WaymarkProtocol

extension RawPeer {
    static func frames(_ request: WireRequest, _ header: WireRequestHeader) throws -> [[UInt8]] {
        [Signature(.request).bytes, try header.serializedBytes(), try request.serializedBytes()]
    }

    static func header(_ sequence: UInt64, timeout: UInt32 = 2_000, sent: UInt64 = 0) -> WireRequestHeader {
        .with {
            $0.client = UUIDv7(high: 1, low: 2).wire
            $0.sequence = sequence
            $0.user = "raw"
            $0.timeoutMs = timeout
            $0.sentMs = sent
        }
    }
}
