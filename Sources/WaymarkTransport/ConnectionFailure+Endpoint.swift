// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ConnectionReach {
    init(_ endpoint: String, isSecured: Bool) {
        // An inproc endpoint has no handshake that the monitor could report.
        self.init(
            isConnected: endpoint.hasPrefix("inproc://"), isSecured: isSecured, isLocal: ListenRule.isPrivate(endpoint))
    }
}

extension ConnectionFailure {
    /// Why the file of a socket cannot be used; nil for an endpoint of another kind, and where the file is not the reason.
    init?(ofSocketAt endpoint: String) {
        guard endpoint.hasPrefix("ipc://") else { return nil }
        let path = String(endpoint.dropFirst("ipc://".count))
        guard access(path, W_OK) != 0 else { return nil }
        switch errno {
        case ENOENT, ENOTDIR: self = .noSocket
        case EACCES: self = .notAllowed
        default: return nil
        }
    }
}
