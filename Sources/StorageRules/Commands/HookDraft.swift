// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// A hook as a request describes it, checked. The secret is made here, so that the rules themselves draw no lots.
package struct HookDraft: Hashable, Sendable {
    /// The number of random bytes of a secret that storage makes.
    static let secretBytes = 32
    private static let secrets = 24...64
    private static let batches: ClosedRange<UInt32> = 1...1_000
    private static let urlBytes = 2_048

    /// The request, which says where the hook begins.
    let wire: WireAddHook
    /// The hook, without its number, owner and place.
    private(set) var hook = WireHook()

    init(_ wire: WireAddHook) throws(InvalidInput) {
        self.wire = wire
        hook.name = try LandmarkRules.source(wire.name)
        // A number sign begins a hook's number where a name is asked for.
        guard !hook.name.hasPrefix("#") else { throw .outOfRange("name of the hook", "without a # at its beginning") }
        hook.url = try Self.url(wire.url)
        hook.fence = wire.fence.isEmpty ? "" : try LandmarkRules.source(wire.fence)
        hook.filter = try FeedFilter(encoded: wire.filter).kept
        (hook.batch, hook.state) = (max(wire.batch, 1), .active)
        guard Self.batches.contains(hook.batch) else {
            throw .outOfRange("batch of the hook", "from 1 to 1,000 changes")
        }
        hook.secret = wire.secret.isEmpty ? Data(RandomBytes.make(Self.secretBytes)) : wire.secret
        guard Self.secrets.contains(hook.secret.count) else {
            throw .outOfRange("secret of the hook", "of 24 to 64 bytes")
        }
    }

    private static func url(_ text: String) throws(InvalidInput) -> String {
        // All of a URL is visible ASCII. URLComponents would encode other characters instead of refusing them.
        guard text.utf8.count <= urlBytes, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let components = URLComponents(string: text), ["http", "https"].contains(components.scheme?.lowercased()),
            let host = components.host, !host.isEmpty, (1...65_535).contains(components.port ?? 80)
        else { throw .outOfRange("URL of the hook", "an http: or https: URL with a host, of at most 2,048 bytes") }
        guard components.user == nil, components.password == nil else {
            throw .outOfRange("URL of the hook", "without user and password: the receiver checks the signature")
        }
        return text
    }
}

/// A change of one hook, or of all, checked.
package struct HookChange: Hashable, Sendable {
    var wire: WireChangeHook
    /// The next secret, if one is asked for.
    var secret: [UInt8]

    init(_ wire: WireChangeHook) throws(InvalidInput) {
        self.wire = wire
        switch wire.act {
        case .unspecified, .UNRECOGNIZED: throw .missing("what to do with the hook")
        case .pause, .resume: if !wire.all { self.wire.name = try LandmarkRules.source(wire.name) }
        case .rotate, .remove, .test, .redeliver: self.wire.name = try LandmarkRules.source(wire.name)
        }
        secret = wire.act == .rotate ? RandomBytes.make(HookDraft.secretBytes) : []
    }
}

extension Command {
    static func addFence(_ add: WireAddFence) throws(InvalidInput) -> Command {
        let filter = try FeedFilter(conditions: add.filter, of: "fence")
        return .addFence(
            name: try LandmarkRules.source(add.name), filter: filter.wire.encoded, isPrivate: add.isPrivate)
    }

    static func hookTurn(checked turn: WireHookTurn) throws(InvalidInput) -> Command {
        guard turn.service.count == 16 else { throw .missing("the 16 bytes of the service") }
        guard turn.progress.count <= HookRules.most else {
            throw .outOfRange("number of hooks of a turn", "at most \(HookRules.most)")
        }
        return .hookTurn(turn)
    }
}

extension FeedFilter {
    /// Reads a filter that says which landmarks belong to something, without operations and ids.
    init(conditions encoded: Data, of what: String) throws(InvalidInput) {
        try self.init(encoded: encoded)
        guard !isEmpty, ids.isEmpty, operations.isEmpty else {
            throw .outOfRange("filter of the \(what)", "an area, kinds, users or sources, and nothing else")
        }
    }
}
