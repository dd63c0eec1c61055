// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkProtocol

struct SourcesCommand: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "Print what is fetched, and how it went.",
        discussion: """
              waymark sources
              waymark sources -o json | jq 'select(.result == "failed")'
            """)

    @OptionGroup var printing: OutputOptions
    @OptionGroup var connection: ConnectionOptions

    func run(in session: Session) async throws {
        let sources = try await session.client.sources()
        if session.output.format == .json {
            for source in sources { try session.output.object { $0.fields(source) } }
            return
        }
        if sources.isEmpty { return session.output.notice("none", "No source has been fetched yet.") }
        var table = TextTable([
            .init(title: "SOURCE", style: .bold), .init(title: "FORMAT"), .init(title: "LANDMARKS", alignment: .right),
            .init(title: "LAST TRY"), .init(title: "RESULT"), .init(title: "ADDRESS"),
        ])
        for source in sources { table.add(cells(source)) }
        try session.output.table(table)
    }

    private func cells(_ source: WireSourceState) -> [String] {
        [
            source.source, source.format.nilIfEmpty ?? "-", Figures.count(source.landmarks),
            source.attempted == 0 ? "never" : Timestamp.local(source.attempted), result(source),
            source.url.nilIfEmpty ?? "-",
        ]
    }

    private func result(_ source: WireSourceState) -> String {
        let counts = source.outcome.counts
        switch source.outcome.result {
        case .ingested:
            let parts = [
                ("added", counts.added), ("changed", counts.changed), ("removed", counts.removed),
                ("rejected", counts.rejected),
            ].filter { $0.1 > 0 }.map { "\(Figures.count($0.1)) \($0.0)" }
            return parts.isEmpty ? "unchanged" : parts.joined(separator: ", ")
        case .notModified: return "not modified"
        case .failed:
            let times = source.failures > 1 ? " (\(Figures.count(source.failures)) times)" : ""
            return "failed\(times): \(source.outcome.error)"
        case .unspecified, .UNRECOGNIZED: return "-"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ source: WireSourceState) {
        field("source", source.source)
        field("url", source.url.nilIfEmpty)
        field("format", source.format.nilIfEmpty)
        field("landmarks", source.landmarks)
        field("attempted", source.attempted == 0 ? nil : Timestamp.rfc3339(source.attempted))
        field("succeeded", source.succeeded == 0 ? nil : Timestamp.rfc3339(source.succeeded))
        field("attempts", source.attempts)
        field("failures", source.failures)
        let result: String? =
            switch source.outcome.result {
            case .ingested: "ingested"
            case .notModified: "not_modified"
            case .failed: "failed"
            case .unspecified, .UNRECOGNIZED: nil
            }
        field("result", result)
        field("error", source.outcome.error.nilIfEmpty)
        let counts = source.outcome.counts
        key("counts")
        object {
            $0.field("added", counts.added)
            $0.field("changed", counts.changed)
            $0.field("unchanged", counts.unchanged)
            $0.field("removed", counts.removed)
            $0.field("kept", counts.kept)
            $0.field("rejected", counts.rejected)
        }
    }
}
