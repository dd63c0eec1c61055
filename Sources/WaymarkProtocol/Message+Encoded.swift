// SPDX-License-Identifier: Apache-2.0

public import SwiftProtobuf

extension SwiftProtobuf.Message {
    /// The encoded message. Encoding fails only without a required field, and proto3 has none.
    public var encoded: [UInt8] { (try? serializedBytes()) ?? [] }
}
