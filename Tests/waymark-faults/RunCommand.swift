// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FaultKit
import Foundation
import Glibc
import TestSupport

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run rounds of faults, each with its own seed, for a given time.")

    @Option(help: "Minutes in which new rounds are started.")
    var minutes: Double = 1
    @Option(help: "The seed of all faults: the first round uses it, the others derive theirs from it.")
    var seed: UInt64 = .random(in: 1...999_999)
    @Option(help: "Writes attempted per second.")
    var rate: Double = 5_000
    @Option(help: "Number of feeds, ten in each process.")
    var subscribers = 50
    @Option(help: "Query services.")
    var queries = 3
    @Option(help: "Seconds of faults in a round.")
    var round: Double = 60
    @Option(help: "The folder of the rounds; rounds without violations are removed.")
    var directory = "/tmp"
    @Option(help: "The library that loses unflushed writes. Default: beside this program, if it exists.")
    var lossy: String?

    @Option(help: "A deliberate defect to enable, which must be found. For programs built from sources after 'mutate'.")
    var mutation: Mutation?

    func run() throws {
        let products = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folder = program.isEmpty ? products : (program as NSString).deletingLastPathComponent
        let beside = "\(folder)/libWaymarkLossyVFS.so"
        let library = lossy ?? (FileManager.default.fileExists(atPath: beside) ? beside : nil)
        let end = ContinuousClock.now + .seconds(minutes * 60)
        let folderOfRounds = URL(fileURLWithPath: directory).path
        var seed = seed
        var total = RoundResult()
        var rounds = 0
        while ContinuousClock.now < end || rounds == 0 {
            rounds += 1
            let path = "\(folderOfRounds)/waymark-faults-\(getpid())-\(rounds)"
            let result = try Round.run(
                RoundOptions(
                    seed: seed, seconds: round, rate: rate, subscribers: subscribers, queries: queries,
                    directory: path, products: folder, lossy: library, mutation: mutation))
            total += result
            tell("round \(rounds), seed \(seed): \(result.line)")
            guard result.violations.isEmpty else {
                for violation in result.violations.prefix(20) { tell("  \(violation)") }
                tell("kept: \(path)")
                tell(
                    "again: waymark-faults run --minutes 0 --seed \(seed) --rate \(rate) --subscribers \(subscribers) "
                        + "--queries \(queries) --round \(round)")
                throw ExitCode(1)
            }
            try FileManager.default.removeItem(atPath: path)
            var next = SplitMix64(seed: seed)
            seed = next.next() >> 24
        }
        tell("total of \(rounds) rounds: \(total.line)")
    }

    /// Prints a line at once, also if stdout is a file.
    private func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
