// SPDX-License-Identifier: Apache-2.0

/// The endpoints that a service may listen on. Without accounts anybody who can reach a socket may do everything, so
/// only this machine may reach it.
public enum ListenRule {
    public struct Refusal: Error, CustomStringConvertible, Equatable {
        public let endpoint: String
        public var description: String {
            "Refusing to listen on \(endpoint): it can be reached from other machines, and requests would be neither "
                + "encrypted nor authenticated. Set accounts: required, or listen on 127.0.0.1, [::1] or ipc, or set "
                + "insecure: true where the network itself is private."
        }
    }

    /// - Parameter secured: whether every client has to prove its identity.
    /// - Throws: ``Refusal`` for an endpoint that other machines can reach, unless `insecure` or `secured`.
    public static func check(_ endpoint: String, insecure: Bool, secured: Bool = false) throws(Refusal) {
        guard !insecure, !secured, !isLocal(endpoint) else { return }
        throw Refusal(endpoint: endpoint)
    }

    /// Whether only processes of this machine that may open a file, or this process alone, can reach `endpoint`.
    /// Requests that arrive there need no key.
    public static func isPrivate(_ endpoint: String) -> Bool {
        endpoint.hasPrefix("ipc://") || endpoint.hasPrefix("inproc://")
    }

    /// Whether only this process can reach `endpoint`. At storage only such requests need no key: the right to open a
    /// file does not give the rights of accounts, and a client of storage acts for others.
    public static func isInside(_ endpoint: String) -> Bool { endpoint.hasPrefix("inproc://") }

    /// Whether only this machine can reach `endpoint`: ipc, inproc, or TCP on a numeric loopback address.
    public static func isLocal(_ endpoint: String) -> Bool {
        if isPrivate(endpoint) { return true }
        return TCPPlace(endpoint)?.isLoopbackAddress == true
    }
}
