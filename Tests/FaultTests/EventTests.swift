// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import TestTurns
import Testing
import WaymarkClient

/// The promises of the feed for readers over HTTP.
extension FaultTests {
    @Test("22 changes over HTTP: the pair killed, connections cut within events, a stalling proxy: each change once")
    func row22() async throws {
        try await withScene { scene in
            let cluster = scene.cluster
            let port = try Ports.free()
            cluster.queryFlags = ["--web-listen", "127.0.0.1:\(port)"]
            let proxy = try TCPProxy(port: Ports.free(), to: port, messages: false)
            defer { proxy.close() }
            try scene.startAll()
            let client = try await scene.client()
            let epoch = try await client.hello().position.epoch
            await client.close()
            let filters = [FilterSpec(), FilterSpec(kinds: ["beach", "pub"])]
            let readers = try filters.enumerated().map { number, filter in
                try EventSubscriber(
                    "events\(number)", directory: cluster.directory, port: proxy.port, filter: filter,
                    after: Position(epoch: epoch, rev: 0))
            }
            defer { for reader in readers { reader.stop() } }
            func wait(_ what: String, _ isThere: (EventSubscriber) -> Bool) async throws {
                try await until("\(what): \(readers.map(\.rev))", within: .seconds(40)) {
                    let problems = readers.compactMap(\.problem)
                    guard problems.isEmpty else { throw FaultError("no \(what): \(problems)") }
                    return readers.allSatisfy(isThere)
                }
            }
            try cluster.startWriter(0, rate: 300)
            for round in 0..<10 {
                // The clients of the killed services go on by themselves; so do the readers.
                let rev = readers.map(\.rev).max() ?? 0
                for reader in readers { reader.cutWithinEvents(2) }
                try await wait("changes after \(rev) in round \(round)") { $0.rev > rev + 20 }
                if round % 3 == 1 {
                    proxy.freeze(true)
                    // Longer than an event takes.
                    usleep(300_000)
                    proxy.freeze(false)
                }
                cluster.storage?.slay()
                cluster.queries[0]?.slay()
                try cluster.revive()
            }
            cluster.clients["writer0"]?.send(SIGTERM)
            #expect(cluster.clients["writer0"]?.wait(.seconds(30)) == 0)
            let head = try cluster.head()
            try await wait("beacon at \(head)") { $0.marked == head }
            for reader in readers { #expect(reader.cuts >= 10) }
            for reader in readers { reader.stop() }
            let verdict = try scene.verdict(kill: false)
            #expect(verdict.violations.isEmpty)
            #expect(verdict.counts.resumes >= 40 && verdict.counts.changes > 200)
        }
    }
}
