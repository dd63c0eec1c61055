// SPDX-License-Identifier: Apache-2.0

/// Which endpoints a service may listen on. Until accounts and keys exist, everybody who can reach a socket may do
/// everything, so by default only this machine can.
public enum ListenRule {
    public struct Refusal: Error, CustomStringConvertible, Equatable {
        public let endpoint: String
        public var description: String {
            "Refusing to listen on \(endpoint): it can be reached from other machines, and requests are neither "
                + "encrypted nor authenticated yet. Listen on 127.0.0.1, [::1] or ipc, or set insecure: true where the "
                + "network itself is private."
        }
    }

    /// - Throws: ``Refusal`` for an endpoint that other machines can reach, unless `insecure`.
    public static func check(_ endpoint: String, insecure: Bool) throws(Refusal) {
        guard !insecure, !isLocal(endpoint) else { return }
        throw Refusal(endpoint: endpoint)
    }

    /// Whether only this machine can reach `endpoint`: ipc, inproc, or TCP on a numeric loopback address. (A name could
    /// resolve to any address.)
    public static func isLocal(_ endpoint: String) -> Bool {
        if endpoint.hasPrefix("ipc://") || endpoint.hasPrefix("inproc://") { return true }
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else { return false }
        let host = endpoint[
            endpoint.index(
                endpoint.startIndex, offsetBy: 6)..<max(colon, endpoint.index(endpoint.startIndex, offsetBy: 6))]
        if host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
