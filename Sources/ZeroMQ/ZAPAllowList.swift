// SPDX-License-Identifier: Apache-2.0

/// The admitted peers of each domain. An empty list admits nobody.
public struct ZAPAllowList: Sendable {
    private struct Entry: Hashable {
        let domain: String
        let who: String
    }

    private var keys: [Entry: String] = [:]
    private var passwords: [Entry: [UInt8]] = [:]
    private var addresses: [Entry: String] = [:]

    public init() {}

    /// Admits the owner of this key, with the user id `userID`.
    public mutating func admit(_ publicKey: CurveKey, as userID: String, to domain: String) {
        keys[Entry(domain: domain, who: publicKey.z85)] = userID
    }

    /// Admits any peer that knows this user name and password. Its user id is the user name.
    public mutating func admit(username: String, password: String, to domain: String) {
        passwords[Entry(domain: domain, who: username)] = Array(password.utf8)
    }

    /// Admits any peer that connects without credentials from this IP address. Addresses are compared as text, in the
    /// form in which the kernel writes them.
    public mutating func admit(address: String, as userID: String, to domain: String) {
        addresses[Entry(domain: domain, who: address)] = userID
    }

    /// Returns the decision about a peer. Peers that are not in the list are refused.
    public func answer(_ request: ZAPRequest) -> ZAPAnswer {
        switch request.credentials {
        case .curve(let publicKey):
            return keys[Entry(domain: request.domain, who: publicKey.z85)].map(ZAPAnswer.admit) ?? .refuse
        case .plain(let username, let password):
            let known = passwords[Entry(domain: request.domain, who: username)]
            // Compare passwords even for unknown names, because the time taken must not reveal which names exist.
            let isRight = Self.isEqual(Array(password.utf8), known ?? [0])
            return known != nil && isRight ? .admit(userID: username) : .refuse
        case .null:
            return addresses[Entry(domain: request.domain, who: request.address)].map(ZAPAnswer.admit) ?? .refuse
        }
    }

    /// Compares two passwords in a time that does not depend on how much of the guess is right.
    private static func isEqual(_ guess: [UInt8], _ known: [UInt8]) -> Bool {
        var difference = guess.count ^ known.count
        for index in 0..<256 {
            let left = index < guess.count ? guess[index] : 0
            let right = index < known.count ? known[index] : 0
            difference |= Int(left ^ right)
        }
        return difference == 0
    }
}
