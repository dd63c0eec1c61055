// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Support

/// The signature of Standard Webhooks (standardwebhooks.com), by which a receiver knows who has sent a message.
enum HookSignature {
    /// Returns the value of `webhook-signature`, with one signature for each secret.
    ///
    /// - Parameter seconds: the Unix time of `webhook-timestamp`.
    static func header(id: String, seconds: UInt64, body: [UInt8], secrets: [Data]) -> String {
        secrets.map { secret in
            var code = HMAC(key: Array(secret))
            code.update(Array("\(id).\(seconds).".utf8))
            code.update(body)
            return "v1,\(Data(code.finalize()).base64EncodedString())"
        }.joined(separator: " ")
    }
}
