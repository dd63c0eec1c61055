// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import WaymarkClient
import WaymarkJSON
import WaymarkTransport
import ZeroMQ

/// The options of a phone's key.
struct PhoneOptions: ParsableArguments {
    @Option(.reference, "With --for track: your landmark that the phone moves.")
    var landmark: LandmarkReference?

    @Option(.location, "With --for track: where to add the landmark, if you have none of that name.")
    var at: Location?

    @Option(.text("url"), "With --for track: the address of the map as the phone reaches it.")
    var web: String?

    @Flag(help: "With --for track: do not show OwnTracks the people near the phone.")
    var noFriends = false

    var isGiven: Bool { landmark != nil || at != nil || web != nil || noFriends }

    func validate() throws {
        guard let web else { return }
        try refuse(
            if: !web.hasPrefix("https://") && !web.hasPrefix("http://"), "--web is an address: https://waymark.example."
        )
    }

    /// The beginning of the addresses that a person types into an app.
    fileprivate var site: String {
        // Nothing tells the command under which name a phone reaches the service.
        guard var site = web else { return "https://HOST" }
        while site.hasSuffix("/") { site.removeLast() }
        return site
    }
}

/// A key of an account, or of a phone.
enum ListedKey {
    case key(KeyState)
    /// The key of a phone, and the name of the landmark that it moves; nil if there is no such landmark.
    case phone(Grant, moves: String?)

    var fingerprint: String {
        switch self {
        case .key(let key): "\(Fingerprint(key.key))"
        case .phone(let grant, _): "\(Fingerprint(grant.digest))"
        }
    }

    /// The cells of a table: fingerprint, kind, time, state, label.
    func cells(own: CurveKey?) -> [String] {
        func state(_ expires: UInt64?, _ other: String) -> String {
            expires.map { $0 <= WallClock.milliseconds } ?? false ? "expired" : other
        }
        switch self {
        case .key(let key):
            let used = key.key == own ? "this one" : "in use"
            return [
                fingerprint, key.readsOnly ? "\(key.kind.name), feed" : key.kind.name, Timestamp.local(key.made),
                key.ended != nil ? "ended" : state(key.expires, used), key.label,
            ]
        case .phone(let grant, let name):
            let target = "for track: \(name ?? "a removed landmark")"
            let label = name == grant.label ? target : "\(grant.label), \(target)"
            return [
                fingerprint, "phone", Timestamp.local(grant.made),
                state(grant.expires, grant.used == nil ? "unused" : "in use"), label,
            ]
        }
    }
}

extension JSONWriter {
    mutating func fields(_ key: ListedKey) {
        switch key {
        case .key(let key): fields(key)
        case .phone(let grant, _): phone(grant)
        }
    }
}

extension Session {
    /// Returns the keys of an account and of its phones.
    ///
    /// - Parameter account: the account's name; nil for the caller's own.
    func keysAndPhones(of account: String?) async throws -> [ListedKey] {
        // Without accounts nobody has keys, but phones have.
        let hasAccount = options.keys != nil
        let keys = hasAccount || account != nil ? try await client.keys(of: account) : []
        let own = hasAccount && account == nil ? try await client.whoAmI().number : nil
        var phones: [Grant] = []
        while true {
            let page = try await client.grants.page(.move, after: phones.last?.digest)
            phones += page.grants
            if !page.hasMore || page.grants.isEmpty { break }
        }
        // Moderators see those of everybody.
        phones = phones.filter { own == nil || $0.account == own }.filter { account == nil || $0.user == account }
        var listed = keys.map { ListedKey.key($0) }
        for phone in phones {
            var name: String?
            if let id = phone.landmark { name = try? await client.show(id, history: 1).landmark.name }
            listed.append(.phone(phone, moves: name))
        }
        return listed
    }

    /// Makes the key of a phone, and prints what to type into its app.
    func addPhone(_ phone: PhoneOptions, label: String, expires: UInt64?) async throws {
        guard let reference = phone.landmark else { return }
        let id = try await landmark(reference, at: phone.at)
        let name = try await client.show(id, history: 1).landmark.name
        let key = GrantToken()
        let grant = try await client.grants.add(
            key, .move, .landmark(id), label: label.isEmpty ? PhoneSettings.label(name) : label, expires: expires,
            locates: !phone.noFriends)
        let settings = PhoneSettings(site: phone.site, key: key, name: name)
        let apps = settings.apps.map { app, settings in
            "  \(app)" + settings.map { "\n    \($0.name)  \($0.value)" }.joined()
        }
        try output.result(
            """
            \(Fingerprint(grant.digest)) moves \(Escaping.visible(name))
            Its key, shown only this once, in the settings of an app:
            \(apps.joined(separator: "\n"))
            """
        ) {
            $0.phone(grant)
            $0.fields(settings)
        }
        guard output.format == .text, phone.web != nil, let code = settings.code, let width = output.width,
            let line = code.lines.first, line.count <= width
        else { return }
        try output.line("For OwnTracks on the phone's camera:")
        try output.lines(code.lines)
    }

    /// Returns the landmark that a phone moves, and adds it if it has a place and there is none.
    private func landmark(_ reference: LandmarkReference, at place: Location?) async throws -> Landmark.ID {
        guard let place, case .name(let name) = reference else { return try await id(reference) }
        if let own = try await search(named: name, by: user.isEmpty ? nil : user).only { return own.id }
        let draft = try LandmarkDraft(
            name: name, coordinate: place.coordinate(output), attributes: Attributes(kind: "person"))
        return try await client.add(draft).id
    }
}
