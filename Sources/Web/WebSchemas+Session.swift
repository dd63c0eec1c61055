// SPDX-License-Identifier: Apache-2.0

internal import Accounts

extension WebSchemas {
    static let session = """
        "Session":{"type":"object","required":["accounts","account","problem"],"properties":{"accounts":{"type":"boolean"},\
        "account":{"type":["object","null"],"required":["name","number","role"],"properties":{"name":\(text(1, 64)),\
        "number":\(whole),"role":{"enum":[\(roles)]}}},"problem":{"type":["string","null"]}}}
        """

    /// How a request proves who asks.
    static let credentials = """
        {"bearer":{"type":"http","scheme":"bearer"},\
        "session":{"type":"apiKey","in":"cookie","name":"__Host-waymark"}}
        """

    private static let roles = Role.allCases.map { "\"\($0.name)\"" }.joined(separator: ",")
}
