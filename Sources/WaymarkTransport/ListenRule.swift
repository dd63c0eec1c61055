// SPDX-License-Identifier: Apache-2.0

/// The rule for the endpoints on which a service may listen. Without accounts anybody who can reach a socket may do
/// everything, so only this machine may be able to reach it.
public enum ListenRule {
    public struct Refusal: Error, CustomStringConvertible, Equatable {
        public let endpoint: String
        public var description: String {
            "Refusing to listen on \(endpoint): it can be reached from other machines, and requests would be neither "
                + "encrypted nor authenticated. Set accounts: required, or listen on 127.0.0.1, [::1] or ipc, or set "
                + "insecure: true where the network itself is private."
        }
    }

    /// Checks an endpoint before a service listens on it.
    ///
    /// - Parameter secured: whether every client has to prove its identity.
    /// - Throws: ``Refusal`` if other machines can reach the endpoint and neither `insecure` nor `secured` is true.
    public static func check(_ endpoint: String, insecure: Bool, secured: Bool = false) throws(Refusal) {
        guard !insecure, !secured, !isLocal(endpoint) else { return }
        throw Refusal(endpoint: endpoint)
    }

    /// Whether `endpoint` can be reached only by processes of this machine that may open a certain file, or only by
    /// this process. Requests that arrive at such an endpoint need no key.
    public static func isPrivate(_ endpoint: String) -> Bool {
        endpoint.hasPrefix("ipc://") || endpoint.hasPrefix("inproc://")
    }

    /// Whether only this process can reach `endpoint`. At storage, requests need a key at every other endpoint:
    /// storage's clients act for accounts, and the right to open a socket's file does not give an account's rights.
    public static func isInside(_ endpoint: String) -> Bool { endpoint.hasPrefix("inproc://") }

    /// Whether only this machine can reach `endpoint`: ipc, inproc, or TCP on a numeric loopback address.
    public static func isLocal(_ endpoint: String) -> Bool {
        if isPrivate(endpoint) { return true }
        return TCPPlace(endpoint)?.isLoopbackAddress == true
    }
}
