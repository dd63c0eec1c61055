// SPDX-License-Identifier: Apache-2.0

public import SwiftProtobuf

extension SwiftProtobuf.Message {
    /// The encoded message. Encoding fails only if a required field is missing, and proto3 has no required fields.
    public var encoded: [UInt8] { (try? serializedBytes()) ?? [] }
}
