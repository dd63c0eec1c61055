// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import TestTurns
import Testing
import ZeroMQ

@testable import WaymarkCLI

@Suite("The options of a bus's load test", .inShortTurn)
struct CLIBenchBusTests {
    private static let key = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
    private static let other = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"

    @Test("keys in the files in which people keep them")
    func keys() {
        func find(_ text: String, _ names: String...) -> String? { CurveKeyText.find(names, in: text)?.z85 }
        #expect(find("\(Self.key)\n", "public") == Self.key)
        let own = "# Waymark: a secret key.\nsecret \(Self.other)\npublic \(Self.other)\nserver \(Self.key)\nname ann\n"
        #expect(find(own, "server", "public") == Self.key && find(own, "secret") == Self.other)
        let certificate = """
            #   ****  Generated on 2026-11-26 by pyzmq  ****
            metadata
            curve
                public-key = "\(Self.key)"
                secret-key = "\(Self.other)"
            """
        #expect(find(certificate, "server", "public", "public-key") == Self.key)
        #expect(find(certificate, "secret", "secret-key") == Self.other)
        for wrong in ["", "public", "public \(Self.key)x", "no key here\n", String(Self.key.dropLast())] {
            #expect(find(wrong, "public") == nil, "\(wrong)")
        }
    }

    @Test("sizes: a list or a distribution")
    func sizes() throws {
        #expect(try Values.sizes("64,4k") == [.fixed(64), .fixed(4_096)])
        #expect(try Values.sizes("lognormal:200,2") == [.lognormal(median: 200, factor: 2)])
        #expect(try Values.sizes("uniform:64..4k") == [.uniform(64...4_096)])
        let texts = try ["64,4k", "lognormal:1k,2.5", "uniform:64..4k"].flatMap { try Values.sizes($0) }
        #expect(
            texts.map { Values.text(of: $0) } == ["64 B", "4 KiB", "lognormal 1 KiB by 2.50", "uniform 64 B to 4 KiB"])
        for wrong in [
            "lognormal:200", "lognormal:200,0.5", "lognormal:0,2", "uniform:4k..64", "uniform:64", "pareto:1",
        ] {
            #expect(throws: BadValue.self, "\(wrong)") { try Values.sizes(wrong) }
        }
    }

    @Test("slow receivers")
    func slow() throws {
        #expect(try BusStreamOptions.slow("2:50%") == .init(count: 2, share: 0.5))
        for wrong in ["50%", "0:50%", "1:0%", "1:101%", "1:", ":50%", "1:50%:3"] {
            #expect(throws: BadValue.self, "\(wrong)") { try BusStreamOptions.slow(wrong) }
        }
    }

    @Test("options that mean nothing together are refused with a sentence")
    func refused() {
        for (words, reason) in [
            ("req --hwm 5 --rate 5", "--hwm"), ("pub --hwm 5", "--window"), ("pub --slow 1:50%", "--rate"),
            ("push --topics 5", "pub"), ("pub --subscribe 2", "--topics"), ("pub --topics 5 --subscribe 6", "--topics"),
            ("pub --topics 1000 --topic-size 2", "digits"), ("pub --topics 5 --topic-size 246", "245"),
            ("pub --slow 2:50% --rate 5", "--clients"), ("pub --join-at 10s", "--duration"),
            ("pub --join-at 1s --count 5", "--count"), ("pub tcp://h:1 --topics 9 --subscribe 2", "--receive"),
            ("pub --raw --topics 5", "--raw"), ("req --raw --frames 2", "--raw"), ("req --frames 65", "64"),
            ("req --raw --sizes lognormal:200,2", "--raw"), ("dealer --echo", "dealer"),
            ("req --curve-server-key k", "endpoint"), ("req tcp://h:1 --curve-key k", "--curve-server-key"),
            ("req tcp://h:1 --plain-user a", "--plain-password"),
            ("req tcp://h:1 --plain-user a --plain-password p --curve-server-key k", "one kind"),
        ] {
            do {
                _ = try BusBench.parse(words.split(separator: " ").map(String.init))
                Issue.record("\(words) was accepted")
            } catch {
                #expect(BusBench.message(for: error).contains(reason), "\(words): \(BusBench.message(for: error))")
            }
        }
        for words in [
            "pub --topics 1000 --topic-size 16 --subscribe 10 --clients 4 --frames 3 --sizes lognormal:200,2",
            "pub --rate 20k --hwm 1000 --slow 1:50% --clients 3 --join-at 5s",
            "dealer tcp://[::1]:5555 --curve-server-key k --curve-key o --frames 2 --rate 5",
            "push tcp://h:1 --receive tcp://h:2 --plain-user a --plain-password p --rate 5 --hwm 10",
        ] {
            #expect(throws: Never.self, "\(words)") {
                try BusBench.parse(words.split(separator: " ").map(String.init))
            }
        }
    }

    @Test("a wrong envelope is explained where nothing was done")
    func envelope() {
        var result = LoadResult(Tally(from: 0), seconds: 1)
        result.figures.errors = ["foreign_answer": 3, "timed_out": 3]
        let run = LoadReport.Run(label: "64 B", shape: LoadShape(loop: .closed(window: 1)), result: result)
        let complaints = BenchJudge.complaints([run], [])
        #expect(complaints.count == 1 && complaints[0].contains("--echo") && complaints[0].contains("dealer"))
        result.figures.errors = ["timed_out": 3]
        let mute = LoadReport.Run(label: "64 B", shape: LoadShape(loop: .closed(window: 1)), result: result)
        #expect(!BenchJudge.complaints([mute], []).joined().contains("--echo"))
    }
}
