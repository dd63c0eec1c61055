// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

/// Python with pyzmq, where it is installed.
private enum PythonBus {
    static let environment: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        var variables = ["PATH": "\(Products.folder):\(own["PATH"] ?? "/usr/bin:/bin")"]
        variables["PYTHONPATH"] = own["PYTHONPATH"]
        return variables
    }()

    static let isThere =
        (try? Child.run(["/usr/bin/env", "python3", "-c", "import zmq"], environment: environment))?.status == 0
}

/// The article, with what a machine of tests needs: ports that are free, and more time for an answer.
private enum OwnBusArticle {
    static func text() throws -> String {
        let path = "\(ProcessBench.repository)/Sources/LoadTest/LoadTest.docc/TestYourOwnBus.md"
        var text = try String(contentsOfFile: path, encoding: .utf8)
        for port in ports(text) {
            text = text.replacing("127.0.0.1:\(port)", with: "127.0.0.1:\(try Ports.free())")
        }
        return text.replacing("p99[2]<50ms", with: "p99[2]<20s")
    }

    static func ports(_ text: String) -> Set<UInt16> {
        Set(text.matches(of: /127\.0\.0\.1:(\d+)/).compactMap { UInt16($0.output.1) })
    }

    /// The blocks of code, each with its language in the first line.
    static func blocks(_ text: String) -> [String] {
        text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
}

@Suite("The article about one's own bus", .inTurn)
struct ProcessOwnBusTests {
    @Test(
        "each of its commands does what it says, from top to bottom",
        .enabled(if: PythonBus.isThere, "the services of the article need python3 with pyzmq"))
    func commands() async throws {
        let blocks = OwnBusArticle.blocks(try OwnBusArticle.text())
        try await withBench { bench in
            var count = 0
            for block in blocks {
                let lines = block.split(separator: "\n", maxSplits: 1)
                switch lines.first {
                case "python":
                    let name = try #require(lines[1].firstMatch(of: /^# (\w+\.py)\n/)).output.1
                    try bench.write(String(lines[1]), to: String(name))
                case "sh":
                    for line in lines[1].replacing("\\\n", with: " ").split(separator: "\n") {
                        try await run(String(line), bench)
                        count += 1
                    }
                default: Issue.record("A block of the article is neither a file nor commands: \(block)")
                }
            }
            #expect(count >= 17)
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(bench.path)/\(name)", encoding: .utf8)
            }
            let profile = try text("profile.html")
            #expect(profile.hasPrefix("<!doctype html>") && profile.contains("<svg ") && profile.contains("2s@500..2k"))
            #expect(try text("bench.xml").contains("failures=\"0\"") && text("bench.xml").contains("p99[2]&lt;"))
            #expect(try text("broken.xml").contains("failures=\"1\"") && text("broken.xml").contains("<failure "))
            #expect(try text("changes.html").contains("earlier, 64 B"))
        }
    }

    /// Runs one command as a shell does. A service goes on until the end of the test.
    private func run(_ line: String, _ bench: ProcessBench) async throws {
        guard line.hasSuffix(" &") else {
            let wanted = line.firstMatch(of: /# exits with (\d+)$/).flatMap { Int32($0.output.1) } ?? 0
            let result = try await bench.finish("/bin/sh", ["-c", line], environment: PythonBus.environment)
            #expect(result.status == wanted, "\(line): \(result)")
            return
        }
        let command = line.dropLast(2)
        _ = try bench.start("/bin/sh", ["-c", "exec \(command)"], environment: PythonBus.environment)
        // Python may take longer to start than the three seconds for which a test waits for the other end.
        let script = "\(bench.path)/\(command.split(separator: " ").last ?? "")"
        for port in OwnBusArticle.ports(try String(contentsOfFile: script, encoding: .utf8)) {
            try await until("\(command) listens on \(port)") {
                guard let connection = Ports.connect(port) else { return false }
                close(connection)
                return true
            }
        }
    }

    @Test("its options exist, also where there is no Python")
    func options() async throws {
        let help = try await ProcessBench.help("bench", "bus") + ProcessBench.help("bench", "compare")
        let commands = OwnBusArticle.blocks(try OwnBusArticle.text()).filter { $0.hasPrefix("sh\n") }.joined()
        let options = Set(commands.matches(of: /\s(--[a-z-]+)/).map { String($0.output.1) })
        #expect(options.count > 15)
        #expect(options.filter { !help.contains($0) } == [])
    }
}

extension ProcessBench {
    fileprivate static func help(_ command: String...) async throws -> String {
        let bench = try ProcessBench()
        let result = try await bench.finish("waymark", ["help"] + command)
        await bench.close()
        return result.out.joined(separator: "\n")
    }
}
