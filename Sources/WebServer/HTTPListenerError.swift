// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why the listener cannot listen. The description says in one sentence what to do about it.
public struct HTTPListenerError: Error, Hashable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Another program listens on the address.
        case taken
        /// This machine does not have the address, or the name cannot be resolved.
        case address
        /// The port is reserved, or the system refuses to listen for another reason.
        case refused
    }

    public let code: Code
    public let address: ListenAddress
    /// The name of the setting that holds the address.
    let setting: String
    let reason: String

    public var description: String {
        switch code {
        case .taken:
            "The address \(address) is taken: give \(setting) another port, or stop the server there."
        case .address:
            "The address \(address) is not one of this machine (\(reason)): correct \(setting)."
        case .refused:
            "The service cannot listen on \(address) (\(reason)): give \(setting) another address."
        }
    }
}

extension HTTPListenerError {
    init(address: ListenAddress, setting: String, errno: CInt) {
        let codes: [CInt: Code] = [EADDRINUSE: .taken, EADDRNOTAVAIL: .address, EAFNOSUPPORT: .address]
        let reason = String(cString: strerror(errno))
        self.init(code: codes[errno] ?? .refused, address: address, setting: setting, reason: reason)
    }
}
