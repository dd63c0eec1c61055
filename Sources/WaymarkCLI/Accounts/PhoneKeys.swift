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

    @Option(.site, "With --for track: the address of the map as the phone reaches it.")
    var web: String?

    @Flag(help: "With --for track: do not show OwnTracks the people near the phone.")
    var noFriends = false

    var isGiven: Bool { landmark != nil || at != nil || web != nil || noFriends }

    /// The beginning of the addresses that a person types into an app.
    fileprivate var site: String {
        // Nothing tells the command under which name a phone reaches the service.
        web ?? "https://HOST"
    }
}

/// A key of an account, or of a phone.
struct ListedKey {
    let fingerprint: String
    /// The kind, the time, the state and the label.
    let cells: [String]
    let object: (inout JSONWriter) -> Void
    let end: () async throws -> Void
}

extension Session {
    /// Returns the keys of an account and of its phones.
    ///
    /// - Parameter account: the account's name; nil for the caller's own.
    func keysAndPhones(of account: String?) async throws -> [ListedKey] {
        func state(_ expires: UInt64?, _ other: String) -> String {
            expires.map { $0 <= WallClock.milliseconds } ?? false ? "expired" : other
        }
        // Without accounts nobody has keys, but phones have.
        let own = options.keys?.own.publicKey
        var listed = (own == nil && account == nil ? [] : try await client.keys(of: account)).map { key in
            let used = key.ended != nil ? "ended" : state(key.expires, key.key == own ? "this one" : "in use")
            let kind = key.readsOnly ? "\(key.kind.name), feed" : key.kind.name
            return ListedKey(
                fingerprint: "\(Fingerprint(key.key))", cells: [kind, Timestamp.local(key.made), used, key.label],
                object: { $0.fields(key) }, end: { try await client.endKey(key.key) })
        }
        // Moderators see the phones of everybody.
        let number = own != nil && account == nil ? try await client.whoAmI().number : nil
        for phone in try await client.grants.all(.move)
        where number.map({ $0 == phone.account }) ?? true && account.map({ $0 == phone.user }) ?? true {
            var name: String?
            var target = "a removed landmark"
            if let id = phone.landmark {
                do throws(ClientError) { name = try await client.show(id, history: 1).landmark.name } catch {
                    if error.refusal?.code != .notFound { target = "\(id)" }
                }
            }
            target = "for track: \(name ?? target)"
            let used = state(phone.expires, phone.used == nil ? "unused" : "in use")
            let label = name == phone.label ? target : "\(phone.label), \(target)"
            listed.append(
                ListedKey(
                    fingerprint: "\(Fingerprint(phone.digest))",
                    cells: ["phone", Timestamp.local(phone.made), used, label], object: { $0.phone(phone) },
                    end: { try await client.grants.end(phone.digest) }))
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
