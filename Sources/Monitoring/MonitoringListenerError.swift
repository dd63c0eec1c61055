// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Why the listener cannot listen. Says in one sentence what to do.
public struct MonitoringListenerError: Error, Hashable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Another program listens on the address.
        case taken
        /// This machine does not have the address, or the name cannot be resolved.
        case address
        /// The port is reserved, or the system refuses for another reason.
        case refused
    }

    public let code: Code
    public let address: ListenAddress
    private let reason: String

    init(address: ListenAddress, errno: CInt) {
        self.address = address
        reason = String(cString: strerror(errno))
        code =
            switch errno {
            case EADDRINUSE: .taken
            case EADDRNOTAVAIL, EAFNOSUPPORT: .address
            default: .refused
            }
    }

    init(address: ListenAddress, reason: String) {
        self.address = address
        self.reason = reason
        code = .address
    }

    public var description: String {
        switch code {
        case .taken:
            "The address \(address) is taken: give http.listen another port, or stop what listens there."
        case .address:
            "The address \(address) is not one of this machine (\(reason)): correct http.listen."
        case .refused:
            "The service cannot listen on \(address) (\(reason)): give http.listen another address."
        }
    }
}
