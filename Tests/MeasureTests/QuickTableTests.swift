// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import TestTurns
import Testing

@testable import waymark_measure

/// The program itself, with services of its own.
@Suite("The whole command", .inTurn, .serialized)
struct QuickTableTests {
    /// Runs it to its end, or until it has been sent a signal.
    private func run(_ arguments: [String], interruptedBy signal: Int32? = nil) async throws -> (
        status: Int32, output: String, folder: String
    ) {
        let folder = NSTemporaryDirectory() + "measure-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = try Program(
            "\(Products.folder)/waymark-measure", ["table", "--quick", "--output", "\(folder)/table"] + arguments,
            directory: folder, log: "\(folder)/log")
        defer { program.slay() }
        if let signal {
            // Services of its own run then.
            try await until("the first round runs", within: .seconds(120)) {
                try String(contentsOfFile: "\(folder)/log", encoding: .utf8).contains("round 1")
            }
            program.send(signal)
        }
        let status = try await program.ended(within: .seconds(240))
        let output = (try? String(contentsOfFile: "\(folder)/table", encoding: .utf8)) ?? ""
        return (status, output, folder)
    }

    @Test("Some rows of a smoke test: their lines are there, and nothing else is left behind")
    func rows() async throws {
        let (status, output, folder) = try await run(["--only", "requests,near,order", "-o", "json"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(status == 0)
        let table = try JSONDecoder().decode(SpeedTable.self, from: Data(output.utf8))
        #expect(table.isSmokeTest)
        #expect(table.lines.map(\.row) == [.requests, .requests, .near, .near, .near, .near, .order])
        #expect(table.lines.allSatisfy { $0.missing == nil && ($0.measured?.median ?? -1) >= 0 })
        #expect(table.lines.last?.isReached == true)
        #expect(table.machine.versions["libzmq"] != nil)
        #expect(table.calibration != nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(left).isSubset(of: ["table", "log"]), "left behind: \(left)")
    }

    @Test("Ctrl-C ends it with 130, and its services and their files with it", arguments: [SIGINT, SIGTERM])
    func interrupt(signal: Int32) async throws {
        let (status, output, folder) = try await run(
            ["--only", "near", "--rounds", "100"], interruptedBy: signal)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(status == 128 + signal)
        #expect(output.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(left).isSubset(of: ["log"]), "left behind: \(left)")
        #expect(try Self.processes(in: folder).isEmpty)
    }

    /// Running programs whose command line names the folder.
    private static func processes(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.compactMap {
            guard let bytes = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") else { return nil }
            let line = String(decoding: bytes.map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
            return line.contains(folder) ? line : nil
        }
    }

    @Test("A row that is none is refused with the names of all")
    func unknown() async throws {
        let (status, _, folder) = try await run(["--only", "near,speed"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(status == 64)
        let log = try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
        #expect(log.contains("There is no row speed") && log.contains("fanout"))
    }
}
