// SPDX-License-Identifier: Apache-2.0

/// The endpoint at which a service can be reached from the same machine.
public enum ReachableEndpoint {
    /// Replaces "all interfaces" by loopback: `tcp://0.0.0.0:7421` and `tcp://*:7421` become `tcp://127.0.0.1:7421`.
    ///
    /// - Returns: nil for a port that is chosen at each start, because no other process knows it.
    public static func of(_ listen: String) -> String? {
        guard listen.hasPrefix("tcp://"), let colon = listen.lastIndex(of: ":") else { return listen }
        let port = listen[listen.index(after: colon)...]
        guard port != "*", port != "0" else { return nil }
        switch listen[..<colon].dropFirst("tcp://".count) {
        case "*", "0.0.0.0": return "tcp://127.0.0.1:\(port)"
        case "[::]": return "tcp://[::1]:\(port)"
        default: return listen
        }
    }
}
