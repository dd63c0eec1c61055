// SPDX-License-Identifier: Apache-2.0

/// What can be told of an endpoint without opening it.
enum Endpoint {
    /// Whether it names an IPv6 address, as `tcp://[::1]:7420` does: libzmq has to be told.
    static func isIPv6(_ endpoint: String) -> Bool { endpoint.hasPrefix("tcp://[") }
}
