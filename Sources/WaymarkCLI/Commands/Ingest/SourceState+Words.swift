// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkJSON

extension SourceState {
    /// The format of the last fetched body in one word, without the fields of a mapping.
    var formatWord: String {
        let used = readAs.nilIfEmpty ?? format
        return String(used.prefix { $0 != " " }).nilIfEmpty ?? "-"
    }

    /// The result of the last fetch in a word or two.
    var resultWords: String {
        switch result {
        case .ingested:
            guard let counts else { return "ok, unchanged" }
            if counts.rejected > 0 { return "ok, \(Figures.count(counts.rejected)) rejected" }
            return [counts.added, counts.changed, counts.removed].contains { $0 > 0 } ? "ok" : "ok, unchanged"
        case .notModified: return "ok, unchanged"
        case .failed: return "failed"
        case nil: return attempts > 0 ? "not ended" : "-"
        }
    }

    /// Everything that is known about the source, for people, not escaped.
    var fields: [(name: String, value: String?)] {
        let tries = "\(Figures.count(attempts)), \(Figures.count(failures)) of them failed"
        let rows = counts?.named.map { "\(Figures.count($0.count)) \($0.name)" }.joined(separator: ", ")
        return [
            ("address", url.nilIfEmpty ?? "-"), ("format", format.nilIfEmpty ?? "-"),
            ("read as", readAs == format ? nil : readAs.nilIfEmpty), ("landmarks", Figures.count(landmarks)),
            ("last try", Figures.time(attempted)), ("succeeded", Figures.time(succeeded)), ("tries", tries),
            ("result", resultWords), ("reason", error.nilIfEmpty), ("last rows", rows),
        ]
    }
}
