// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// What storage needs where accounts are required.
public struct StorageAccess: Sendable {
    /// The account of the keys that ``serviceFile`` gets.
    static let serviceAccount = "query"

    /// The file with storage's own keys, made at the first start. Whoever connects with them is storage's own machine, and
    /// may do everything.
    public var keyFile: String
    /// A file for query services, with keys of a service's account and storage's public key. Made at the first start.
    public var serviceFile: String
    /// The handler of the context, where others have servers in it too; nil: storage starts one.
    public var handler: ZAPHandler?

    public init(keyFile: String, serviceFile: String) {
        (self.keyFile, self.serviceFile) = (keyFile, serviceFile)
    }
}
