// SPDX-License-Identifier: Apache-2.0

import Landmarks

extension Validator {
    /// Durable: acknowledged writes are in the log once, refused writes are not, and nothing else is. Atomic: a write
    /// is complete and in one revision.
    mutating func checkWrites() {
        var found: [String: [LogEntry]] = [:]
        for entry in truth.log { found[entry.marker, default: []].append(entry) }
        var owners: [UInt64: String] = [:]
        var known: Set<String> = []
        for (writer, records) in history.writes.sorted(by: { $0.key < $1.key }) {
            var requests: [UInt64: (operation: Change.Operation, marker: String, note: String?)] = [:]
            for record in records {
                if case .sent(let sequence, let operation, let marker, let note) = record {
                    requests[sequence] = (operation, marker, note)
                    known.insert(marker)
                }
            }
            for record in records {
                switch record {
                case .sent(let sequence, _, let marker, let note):
                    let entries = found[marker] ?? []
                    if entries.count > 1 {
                        broken(
                            .durable, "request \(sequence) was done \(entries.count) times", client: writer,
                            rev: entries[1].rev)
                    }
                    if let note, let entry = entries.first, entry.firstNote != note {
                        broken(
                            .atomic, "request \(sequence) was done in part: its note is missing", client: writer,
                            rev: entry.rev)
                    }
                case .answered(let sequence, let rev, let id):
                    counts.acknowledged += 1
                    guard let request = requests[sequence] else { continue }
                    checkAnswer(sequence, request.operation, request.marker, rev: rev, id, writer, found)
                    if let other = owners.updateValue(writer, forKey: rev) {
                        broken(.atomic, "two requests (\(other)) got this revision", client: writer, rev: rev)
                    }
                case .refused(let sequence, let code):
                    counts.refused += 1
                    guard let request = requests[sequence], let entry = found[request.marker]?.first,
                        request.operation != .removed
                    else { continue }
                    broken(
                        .durable, "request \(sequence) was refused (\(code)) and done", client: writer, rev: entry.rev)
                case .unanswered: counts.unanswered += 1
                }
            }
        }
        guard !history.writes.isEmpty else { return }
        for entry in truth.log where !known.contains(entry.marker) {
            broken(.durable, "nobody asked for this: \(entry.operation) \(entry.marker)", rev: entry.rev)
        }
    }

    private mutating func checkAnswer(
        _ sequence: UInt64, _ operation: Change.Operation, _ marker: String, rev: UInt64, _ id: Landmark.ID,
        _ writer: String, _ found: [String: [LogEntry]]
    ) {
        if rev < truth.floor { return }
        guard let entry = truth[rev] else {
            broken(.durable, "request \(sequence) was acknowledged but is not in the log", client: writer, rev: rev)
            return
        }
        guard entry.marker == marker, entry.operation == operation, entry.id == id else {
            let real = found[marker]?.first.map { "revision \($0.rev)" } ?? "nowhere"
            broken(
                .durable, "request \(sequence) (\(operation) \(marker)) was acknowledged here; it is \(real)",
                client: writer, rev: rev)
            return
        }
    }

    /// Checks that the landmarks are the result of the log.
    mutating func checkState() {
        guard truth.floor == 1 else { return }
        var state: [Landmark.ID: UInt64] = [:]
        for entry in truth.log { state[entry.id] = entry.operation == .removed ? nil : entry.landmark }
        guard state != truth.landmarks else { return }
        let ids = Set(state.keys).union(truth.landmarks.keys).filter { state[$0] != truth.landmarks[$0] }
        broken(
            .atomic, "\(ids.count) landmarks are not what the log says, such as \(ids.first.map { "\($0)" } ?? "")",
            rev: truth.head)
    }
}
