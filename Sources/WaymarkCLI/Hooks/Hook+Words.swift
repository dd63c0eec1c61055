// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

extension Hook {
    /// The state in one word, for a table.
    var word: String { state == .active && failingSince > 0 ? "failing" : state.rawValue }

    /// How many revisions come after the hook's place, for a table.
    func behind(_ head: UInt64) -> String { lag(head).map { Figures.count($0) } ?? "-" }

    /// How many revisions come after the hook's place; nil if it has none in this history.
    func lag(_ head: UInt64) -> UInt64? { position.map { head - min(head, $0.rev) } }

    /// The fields for people, not escaped.
    ///
    /// - Parameter head: the newest revision.
    func fields(_ head: UInt64) -> [(name: String, value: String?)] {
        func time(_ milliseconds: UInt64) -> String? { milliseconds == 0 ? nil : Timestamp.local(milliseconds) }
        let kept = "\(Figures.count(failed, "message", "messages")), \(Figures.bytes(failedBytes))"
        let givenUp = failed == 0 ? nil : kept
        let place = position.map { "revision \($0.rev), \(behind(head)) behind" }
        let (taken, refused) = (Figures.count(delivered, "change", "changes"), Figures.count(failures))
        return [
            ("url", url), ("owner", user.nilIfEmpty), ("state", word), ("reason", reason.nilIfEmpty),
            ("filter", filter.words), ("of fence", fence.nilIfEmpty), ("batch", "\(batch)"), ("created", time(created)),
            ("place", place), ("delivered", taken), ("failed tries", refused), ("last try", Figures.time(lastTry)),
            ("last success", Figures.time(lastSuccess)), ("error", error.nilIfEmpty),
            ("failing since", time(failingSince)), ("given up", givenUp),
        ]
    }
}

extension Session {
    /// Prints a hook that has a new secret.
    func print(_ hook: Hook) throws {
        let name = Escaping.visible(hook.name)
        let place = hook.position.map { " after revision \($0.rev)" } ?? ""
        let until = Timestamp.local(hook.formerUntil)
        let former = hook.formerUntil == 0 ? "" : "\nThe former secret counts until \(until)."
        let secret = hook.secret.map { "\nIts secret, shown only this once:\n  \(Escaping.visible($0))" }
        try output.result("\(name) sends to \(Escaping.visible(hook.url))\(place)\(secret ?? "")\(former)") {
            $0.fields(hook)
        }
    }
}
