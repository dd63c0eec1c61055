// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import LoadTest
import TestTurns
import Testing

@testable import waymark_measure

/// The floors do as much as what they are compared with.
@Suite("Floors", .inShortTurn)
struct FloorTests {
    private func run(_ children: Children) -> TableRun { TableRun(.quick, children, tile38: nil) { _ in } }

    @Test("A subscriber's floor commits each write before its message, and every subscriber receives each message")
    func fanout() async throws {
        let children = try Children()
        defer { children.end() }
        let shape = LoadShape(
            loop: .open(.rate(200), arrival: .constant), end: .duration(seconds: 0.5), warmUp: 0.1)
        let floor = FlushedFanout(folder: children.directory, size: 100, subscribers: 3)
        let figures = try await run(children).measure(shape, floor.run).figures
        #expect(figures.done == 300 && figures.sent == 300 && figures.repeats == 0)
        #expect(figures.bytes == 300 * 100)
        #expect(try FileManager.default.contentsOfDirectory(atPath: children.directory).isEmpty)
    }

    @Test("Rows of one transaction are all there")
    func rows() throws {
        let path = NSTemporaryDirectory() + "rows-\(UUID().uuidString).sqlite"
        let disk = BareDisk(path: path)
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        for rows in [1, 5] { _ = disk.commit(rows: rows, record: [1], payload: [2]) }
        #expect(disk.count == 6)
        disk.close()
    }

    @Test("The listener's answers from memory have as many bytes as asked, and none after its end")
    func listener() async throws {
        let children = try Children()
        defer { children.end() }
        let run = run(children)
        let floor = try await HTTPFloor(children, program: "\(Products.folder)/waymark-measure")
        let shape = LoadShape(loop: .closed(window: 4), end: .count(40), warmUp: 0)
        for bytes in [2_000, 5_123] {
            let figures = try await floor.figures(run, shape, bytes: bytes) { "number=\($0)" }
            #expect(figures.done == 40 && figures.bytes == UInt64(40 * bytes))
        }
        floor.end()
        // Nothing answers any more.
        let after = try? await floor.figures(run, shape, bytes: 2_000) { "number=\($0)" }
        #expect(after == nil)
    }
}
