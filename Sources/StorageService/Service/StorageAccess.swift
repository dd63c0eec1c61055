// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// Key files of storage where accounts are required.
public struct StorageAccess: Sendable {
    /// The account that owns the keys in ``serviceFile``.
    static let serviceAccount = "query"

    /// The file with storage's own keys, made at the first start. A client that connects with these keys counts as
    /// storage's own machine, and may do everything.
    public var keyFile: String
    /// The file with keys for query services, of a service's account, and with storage's public key. Made at the first
    /// start.
    public var serviceFile: String
    /// The context's handler if other servers share the context; nil: storage starts its own.
    public var handler: ZAPHandler?

    public init(keyFile: String, serviceFile: String) {
        (self.keyFile, self.serviceFile) = (keyFile, serviceFile)
    }
}
