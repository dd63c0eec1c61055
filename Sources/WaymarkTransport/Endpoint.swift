// SPDX-License-Identifier: Apache-2.0

/// Properties of an endpoint that its text shows.
enum Endpoint {
    /// Whether the endpoint has an IPv6 address, as `tcp://[::1]:7420` has. libzmq needs an option for those.
    static func isIPv6(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://[") }
}
