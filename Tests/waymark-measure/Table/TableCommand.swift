// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LoadTest
import ServiceHost

/// Measures all performance goals of the project and writes one table.
struct TableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table", abstract: "Run all benchmarks and write the table of their figures.",
        discussion: """
            Build with `swift build -c release` first: the services are started from beside this program. Rows:

            \(RowName.allCases.map { "  \($0.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)) \($0.abstract)" }
                .joined(separator: "\n"))

              waymark-measure table --output table.md
              waymark-measure table --only near,requests --rounds 3
              waymark-measure table --only people -o text
              waymark-measure table --quick -o json
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case markdown, text, json }

    @Option(help: "Rounds of each measurement, 1 to 100. (default: 5)") var rounds: Int?

    @Option(help: ArgumentHelp("Only these rows, separated by commas.", valueName: "row,…"), transform: rows)
    var only: [RowName] = RowName.allCases

    @Option(help: "Landmarks in the great world, 1,000 to 10 million. (default: 1000000)") var landmarks: Int?

    @Flag(help: "A smoke test of a minute: sizes are small, and the figures are meaningless.") var quick = false

    @Option(help: ArgumentHelp("Write to this file instead of stdout.", valueName: "file")) var output: String?

    @Option(name: [.customShort("o"), .long], help: "markdown, json, or text in 80 columns.")
    var format = Format.markdown

    @Option(help: ArgumentHelp("The path of tile38-server, for its row.", valueName: "path")) var tile38: String?

    func validate() throws {
        if let rounds, !(1...100).contains(rounds) { throw ValidationError("--rounds is 1 to 100.") }
        if let landmarks, !(1_000...10_000_000).contains(landmarks) {
            throw ValidationError("--landmarks is 1,000 to 10,000,000.")
        }
    }

    func run() async throws {
        OpenFiles.raiseLimit()
        var scale = quick ? Scale.quick : .full
        scale.rounds = rounds ?? scale.rounds
        scale.landmarks = landmarks ?? scale.landmarks
        let children = try Children()
        let interruption = Interruption(children)
        let run = TableRun(scale, children, tile38: tile38) { Self.say($0) }
        let (began, clock) = (Date(), ContinuousClock.now)
        // Determined before the long measurements, because the sources may be edited meanwhile.
        let versions = Versions.here
        let before = Self.calibration(run)
        let lines = await Self.lines(only, run)
        // Services that still run would be measured with it.
        children.endPrograms()
        let after = children.stop.isAsked ? nil : Self.calibration(run)
        children.end()
        if let code = interruption.exitCode { throw ExitCode(code) }
        let table = SpeedTable(
            at: began.formatted(.iso8601),
            command: (["waymark-measure"] + CommandLine.arguments.dropFirst()).joined(separator: " "),
            machine: .here(versions: versions.merging(run.versions) { $1 }), rounds: scale.rounds,
            landmarks: scale.landmarks, isSmokeTest: quick, seconds: (ContinuousClock.now - clock) / .seconds(1),
            calibration: before.flatMap { before in after.map { Calibrations(before: before, after: $0) } },
            lines: lines)
        let text =
            switch format {
            case .markdown: table.markdown()
            case .text: table.text()
            case .json: try table.json()
            }
        if let output {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output))
        } else {
            print(text, terminator: "")
        }
        // A rival that is not installed is no failure; the table reports it.
        if run.hasFailed { throw ExitCode.failure }
    }

    /// Nil, and a sentence on stderr, if the machine cannot be measured: the rows are measured nevertheless.
    private static func calibration(_ run: TableRun) -> Calibration? {
        say("the machine itself is measured")
        do throws(CalibrationError) {
            return try Calibration.here(folder: run.children.directory, seconds: run.scale.calibration)
        } catch {
            say("\(error)")
            return nil
        }
    }

    /// A row that cannot be measured gets the reason, and the other rows continue.
    private static func lines(_ rows: [RowName], _ run: TableRun) async -> [TableLine] {
        var lines: [TableLine] = []
        for row in rows where !run.children.stop.isAsked {
            do { lines += try await row.row.lines(run) } catch {
                if run.children.stop.isAsked { break }
                say("\(row.rawValue): \(error)")
                lines.append(TableLine(row, missing: "\(error)"))
                if case .notInstalled? = error as? TableError { continue }
                run.hasFailed = true
            }
        }
        return lines
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// - Throws: one sentence that lists all rows.
    private static func rows(_ text: String) throws -> [RowName] {
        try text.split(separator: ",").map { name in
            guard let row = RowName(rawValue: String(name)) else {
                throw ValidationError(
                    "There is no row \(name): they are \(RowName.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return row
        }
    }
}
