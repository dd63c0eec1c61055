// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// The key files of a storage that requires accounts.
public struct StorageAccess: Sendable {
    /// The account that owns the keys in ``serviceFile``.
    static let serviceAccount = "query"

    /// The file with storage's own keys, which the first start makes. A client with these keys counts as storage's own
    /// machine, and may do everything.
    public var keyFile: String
    /// The file with the keys for query services, which belong to an account with the role of a service, and with
    /// storage's public key. The first start makes the file.
    public var serviceFile: String
    /// The handler of the context if other servers share the context; nil if storage starts its own handler.
    public var handler: ZAPHandler?
    /// Whether anybody may make an account.
    public var isOpen = false

    public init(keyFile: String, serviceFile: String) {
        (self.keyFile, self.serviceFile) = (keyFile, serviceFile)
    }
}
