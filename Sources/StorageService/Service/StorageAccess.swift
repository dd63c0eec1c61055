// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

/// What storage needs where accounts are required.
public struct StorageAccess: Sendable {
    /// Where storage's own keys come from.
    public enum Keys: Sendable {
        case given(CurveKeyPair)
        /// A file, made at the first start.
        case file(String)
    }

    /// The account of the keys that ``serviceFile`` gets.
    static let serviceAccount = "query"

    /// Storage's own. Whoever connects with them is storage's own machine, and may do everything.
    public var keys: Keys
    /// A file for query services, with keys of a service's account and storage's public key. Made at the first start.
    public var serviceFile: String?
    /// The handler of the context, where others have servers in it too; nil: storage starts one.
    public var handler: ZAPHandler?

    public init(keys: Keys, serviceFile: String? = nil, handler: ZAPHandler? = nil) {
        (self.keys, self.serviceFile, self.handler) = (keys, serviceFile, handler)
    }
}
