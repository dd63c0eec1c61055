// SPDX-License-Identifier: Apache-2.0

import Accounts
import ZeroMQ

extension AccountCommand {
    /// Whether this is a sign-in with a password, or a sign-up. Both have a shelf of their own in the audit trail:
    /// nobody looks for a sign-in after a year, and strangers who sign up must not push out what administrators did.
    var isVisit: Bool {
        switch self {
        case .signIn(_, _, .password), .signUp: true
        default: false
        }
    }

    /// The name of what the command changes, for the audit trail.
    var subject: String {
        switch self {
        case .create(let name, let role, _): "\(name), \(role.name)"
        case .change(let account, let role, let name, let invitation, let ends):
            ([account] + [role.map { "role \($0.name)" }, name.map { "name \($0)" }].compactMap { $0 }
                + (invitation == nil ? [] : ["invitation"]) + (ends ? ["end"] : [])).joined(separator: ", ")
        case .setPassword: ""
        case .addKey(let key, let account): [account, "\(Fingerprint(key.key))"].joined(separator: " ")
        case .endKey(let key): "\(Fingerprint(key))"
        case .signIn(_, let key, .password): "\(Fingerprint(key.key))"
        case .signIn(_, let key, .code): "\(Fingerprint(key.key)), by invitation"
        case .signUp(let name, _, _): "new \(name)"
        case .adopt(let name, let account): "\(name) for \(account)"
        case .rewriteOwners: ""
        case .note(let subject, _): subject
        }
    }
}

extension Command {
    private static func fingerprint(_ digest: [UInt8]) -> String {
        CurveKey(bytes: digest).map { "\(Fingerprint($0))" } ?? ""
    }

    /// The id or name of what the command changes, for the audit trail.
    var subject: String {
        switch self {
        case .ingest(let batch): batch.source
        case .beginFetch(let fetch): fetch.source
        case .endFetch(let source, _): source
        case .account(let command): command.subject
        case .addFence(let name, _, _), .removeFence(let name): name
        case .addHook(let draft): draft.hook.name
        case .changeHook(let change): change.wire.name
        case .addGrant(let add): "\(add.kind), \(Self.fingerprint([UInt8](add.digest))) \(add.label)"
        case .endGrant(let digest): Self.fingerprint(digest)
        default:
            switch target {
            case .landmark(let id), .note(let id): "\(id)"
            case nil: ""
            }
        }
    }
}
