// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestTurns
import Testing
import WaymarkClient
import ZeroMQ

@testable import WaymarkCLI

@Suite("tail --last", .inShortTurn)
struct CLINewestTests {
    /// Searches a log whose matches are the multiples of `step`.
    private func search(
        _ wanted: Int, through end: UInt64, floor: UInt64 = 1, step: UInt64
    ) -> (search: NewestSearch, read: UInt64, requests: Int) {
        var search = NewestSearch(wanted, through: end, floor: floor)
        var (read, requests) = (UInt64(0), 0)
        while let stretch = search.stretch {
            #expect(stretch.after < stretch.through && stretch.through == end - read && stretch.after >= floor - 1)
            let first = (stretch.after / step + 1) * step
            search.apply(Array(stride(from: first, through: stretch.through, by: Int(step))), after: stretch.after)
            read += stretch.through - stretch.after
            requests += 1
        }
        return (search, read, requests)
    }

    @Test("the start is right before the oldest of them", arguments: [1, 2, 999, 1_000, 1_001, 30_000] as [UInt64])
    func exact(_ step: UInt64) {
        for wanted in [1, 2, 3, 10] {
            for end: UInt64 in [50_000, 50_001, 123_456] {
                let found = search(wanted, through: end, step: step)
                let all = end / step
                if all >= UInt64(wanted), (UInt64(wanted) + 1) * step <= 100_000 {
                    #expect(found.search.start == (all - UInt64(wanted) + 1) * step - 1)
                    #expect(found.search.found == wanted && !found.search.isAtBottom)
                } else {
                    // Nothing is read again that does not match.
                    let least = step * (all - UInt64(found.search.found) + 1)
                    #expect(found.search.found == Int(min(all, UInt64(wanted))) && found.search.start == least - 1)
                }
            }
        }
    }

    @Test("a million changes of which none matches are not all read")
    func bounded() {
        let found = search(10, through: 1_000_000, step: 2_000_000)
        #expect(found.search.found == 0 && found.search.start == 1_000_000)
        #expect(found.read == NewestSearch.most && found.search.examined == NewestSearch.most)
        #expect(found.requests < 20 && !found.search.isAtBottom)
        let dense = search(10, through: 1_000_000, step: 3)
        #expect(dense.requests == 1 && dense.read == 1_000)
    }

    @Test("a log that begins later, or that is compacted meanwhile")
    func compacted() {
        let short = search(10, through: 5_000, floor: 4_001, step: 500)
        #expect(short.search.found == 2 && short.search.start == 4_499 && short.search.isAtBottom)
        var search = NewestSearch(3, through: 5_000, floor: 1)
        search.apply([], after: 4_000)
        #expect(search.raise(floor: 3_501) && !search.raise(floor: 3_501))
        #expect(search.stretch?.after == 3_500)
        #expect(search.raise(floor: 9_000) && search.stretch == nil && search.start == 5_000)
        var all = NewestSearch(3, through: 10, floor: 9)
        all.matchAll()
        #expect(all.start == 8 && all.found == 2 && all.isAtBottom)
        var none = NewestSearch(3, through: 0, floor: 0)
        none.matchAll()
        #expect(none.start == 0 && none.found == 0 && none.stretch == nil)
    }

    @Test("the newest that match, then what follows, each once")
    func follows() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                // Revision 3, 6, 9, 12 are beaches.
                for number in 1...12 {
                    let here = try Coordinate(latitude: Double(number), longitude: 10)
                    let kind = number % 3 == 0 ? "beach" : "pool"
                    _ = try await client.add(LandmarkDraft(name: "x", coordinate: here, kind: kind))
                }
                // Until the query service has them: each command is another client.
                _ = try await client.list(.byName, limit: 1)
                func revisions(_ arguments: String...) async -> [String] {
                    let tail = CLILive(["tail", "-o", "template={rev}"] + arguments, environment: pair.variables)
                    #expect(await tail.status == 0, "\(tail.err.all)")
                    return tail.out.lines
                }
                #expect(await revisions("--last", "3", "--no-follow") == ["10", "11", "12"])
                #expect(await revisions("--last", "99", "--no-follow") == (1...12).map { "\($0)" })
                #expect(await revisions("--last", "2", "--no-follow", "--kind", "beach") == ["9", "12"])
                #expect(await revisions("--last", "2", "--no-follow", "--near", "3,10", "--radius", "5km") == ["3"])
                #expect(await revisions("--last", "2", "--until", "10", "--kind", "beach") == ["6", "9"])
                #expect(await revisions("--last", "3", "--limit", "2") == ["10", "11"])

                let live = pair.live("tail", "-f", "--last", "2", "--kind", "beach", "-o", "template={rev}")
                _ = try await live.out.next { $0 == "12" }
                for kind in ["beach", "pool", "beach"] {
                    let here = try Coordinate(latitude: 1, longitude: 10)
                    _ = try await client.add(LandmarkDraft(name: "x", coordinate: here, kind: kind))
                }
                _ = try await live.out.next { $0 == "15" }
                await live.stop()
                #expect(live.out.lines == ["9", "12", "13", "15"])
            }
        }
    }

    @Test("with a cursor file it counts only until there is one; a compacted log shows what there is and says so")
    func cursorAndCompaction() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                try await CLITailTests.add(8, client)
                let file = "\(pair.bench.path)/cursor.json"
                func run(_ arguments: String...) async -> (out: [String], err: [String]) {
                    let tail = CLILive(
                        ["tail", "-o", "template={rev}", "--no-follow"] + arguments, environment: pair.variables)
                    #expect(await tail.status == 0, "\(tail.err.all)")
                    return (tail.out.lines, tail.err.lines)
                }
                #expect(await run("--last", "2", "--cursor-file", file).out == ["7", "8"])
                try await CLITailTests.add(4, client)
                #expect(await run("--last", "2", "--cursor-file", file).out == ["9", "10", "11", "12"])

                #expect(try await client.compact(below: 10) == (10, 12))
                let told = ["Changes before revision 10 are no longer kept."]
                for filter in [[], ["--user", "ann"]] {
                    let all = CLILive(
                        ["tail", "-o", "template={rev}", "--no-follow", "--last", "5"] + filter,
                        environment: pair.variables)
                    #expect(await all.status == 0)
                    #expect(all.out.lines == ["10", "11", "12"] && all.err.lines == told, "\(all.err.all)")
                }
                #expect(await run("--last", "3").err == [])
            }
        }
    }

    @Test("what contradicts itself is refused with a sentence")
    func refused() async {
        let both = await tool("tail", "-f", "--no-follow")
        #expect(both.status == 2 && both.err.contains("--follow goes on for ever and --no-follow ends: give only one."))
        let two = await tool("tail", "--last", "3", "--new")
        #expect(two.status == 2 && two.err.contains("--new, --last and --snapshot set the beginning: give only one."))
        #expect(await tool("tail", "--last", "0").status == 2)
        let event = TailEvent.fewer(found: 0, examined: 200_000)
        #expect(event.message == "None of the newest 200,000 changes matches: older ones are not searched.")
        #expect(
            TailEvent.fewer(found: 3, examined: 200_000).message.hasPrefix(
                "Only 3 of the newest 200,000 changes match:"))
    }

    @Test("a line has the width that the terminal has when it comes")
    func resized() async throws {
        try await withProcessPair { pair in
            try await withClient(try await pair.client()) { client in
                let out = LineSink()
                let columns = Locked(80)
                var surroundings = Surroundings(environment: pair.variables, out: out, err: LineSink())
                surroundings.screenSize = { ScreenSize(columns: columns.withLock { $0 }, rows: 24) }
                surroundings.outWidth = 80
                try await CLITailTests.add(1, client)
                let tail = Task { [surroundings] in
                    await WaymarkTool.run(["tail", "--from-start", "--color", "never"], in: surroundings)
                }
                let wide = try await out.next()
                columns.withLock { $0 = 60 }
                try await CLITailTests.add(1, client)
                let narrow = try await out.next()
                tail.cancel()
                _ = await tail.value
                #expect(wide.count == 80 && narrow.count < 60 && narrow.hasSuffix("0,10"), "\(wide)\n\(narrow)")
            }
        }
    }
}
