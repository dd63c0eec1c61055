// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkClient
import WaymarkJSON

struct SourcesCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        leaf: "sources",
        abstract: "Print the sources and the results of their fetches.",
        discussion: """
              waymark sources
              waymark sources airports
              waymark sources -o json | jq 'select(.result == "failed")'

            With a name: everything known about that source, including its address and the reason of a failure. \
            "waymark source remove" removes a source with its landmarks.
            """)

    @Argument(.source, "Only this source, in full.")
    var name: String?

    @OptionGroup var asking: AskOptions

    func run(in session: Session) async throws {
        let sources = try await session.client.sources()
        guard let name else { return try Self.print(sources, session.output) }
        let source = try SourceCommand.find(name, in: sources)
        guard session.output.format == .text else { return try session.output.object { $0.fields(source) } }
        try session.output.block("source \(name)", source.fields)
    }

    static func print(_ sources: [SourceState], _ output: Output) throws(SinkError) {
        let columns: [TextTable.Column] = [
            .init(title: "SOURCE", style: .bold, isFlexible: true), .init(title: "FORMAT"),
            .init(title: "LANDMARKS", alignment: .right), .init(title: "LAST TRY"), .init(title: "RESULT"),
        ]
        let none = "No source has been fetched yet."
        try output.list(sources, columns, none: none, object: { $0.fields($1) }) { source in
            [
                source.source, source.formatWord, Figures.count(source.landmarks), Figures.time(source.attempted),
                source.resultWords,
            ]
        }
        if output.format == .text, sources.contains(where: { $0.result == .failed }) {
            output.notice("failed", "\"waymark sources NAME\" shows why a source failed.")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ source: SourceState) {
        field("source", source.source)
        field("url", source.url.nilIfEmpty)
        field("format", source.format.nilIfEmpty)
        field("landmarks", source.landmarks)
        field("attempted", source.attempted == 0 ? nil : Timestamp.rfc3339(source.attempted))
        field("succeeded", source.succeeded == 0 ? nil : Timestamp.rfc3339(source.succeeded))
        field("attempts", source.attempts)
        field("failures", source.failures)
        field("result", source.result?.rawValue)
        field("error", source.error.nilIfEmpty)
        let counts = source.counts ?? SourceCounts()
        object("counts") { for (name, count) in counts.named { $0.field(name, count) } }
        field("read_as", source.readAs.nilIfEmpty)
    }
}
