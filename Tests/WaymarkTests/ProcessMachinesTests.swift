// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestProcess
import TestTurns
import Testing

@Suite(
    "A second machine is live", .enabled(if: Namespace.isPossible, Comment(rawValue: ProcessMachines.how)), .inTurn,
    .serialized)
struct ProcessMachinesTests {
    /// How services are made to serve other machines, as the manuals say it.
    enum SetUp: String, CaseIterable, Sendable {
        /// The commands of `Running.md`, part Access.
        case twoServices = "two services with accounts"
        case upWithAccounts = "up --accounts"
        case upWithout = "up without accounts, insecure"
        case relay = "a relay before a storage on loopback"
    }

    /// More for a measurement.
    private static let rounds = ProcessInfo.processInfo.environment["WAYMARK_LIVE_ROUNDS"].flatMap { Int($0) } ?? 10

    @Test("what is added is in the tail of the other machine at once", arguments: SetUp.allCases)
    func live(_ setUp: SetUp) async throws {
        try await withMachines { machines in
            try await setUp.start(machines)
            let tail = try machines.waymark("tail")
            _ = try await tail.err.next { $0.hasPrefix("Following the changes after revision") }
            // A feed takes a moment to begin. From its first change on it is followed.
            try await Self.add("first", machines, tail)
            var times: [Duration] = []
            for number in 0..<Self.rounds { times.append(try await Self.add("place \(number)", machines, tail)) }
            times.sort()
            let (best, median, worst) = (times[0], times[times.count / 2], times[times.count - 1])
            print("\(setUp.rawValue): from add to line of \(times.count): median \(median), worst \(worst)")
            // Other tests run beside this one and delay some of the lines.
            #expect(best <= .milliseconds(150))
            #expect(median <= .seconds(1))
            // A busy machine may be silent for three seconds, but is heard again.
            let told = tail.err.all
            #expect(told.last?.contains(" is silent, ") == false, "\(told)")
            let others = told.filter { !$0.contains(" is silent, ") && !$0.hasSuffix(", 0 lost") }
            #expect(!others.contains { $0.contains("lost") || $0.contains("cannot") }, "\(told)")
        }
    }

    /// - Returns: the time from the receipt of `add` to the line of `tail`; none if the line is there first.
    @discardableResult
    private static func add(_ name: String, _ machines: ProcessMachines, _ tail: Child) async throws
        -> Duration
    {
        let add = try machines.waymark("add", name, "1,2", "--timeout", "60s")
        _ = try await add.out.next()
        let acknowledged = ContinuousClock.now
        _ = try await tail.out.next { $0.contains(name) }
        let time = ContinuousClock.now - acknowledged
        #expect(try await add.ended() == 0)
        return time
    }
}

extension ProcessMachinesTests.SetUp {
    /// Starts the services, waits until they serve, and signs in where accounts are required.
    func start(_ machines: ProcessMachines) async throws {
        switch self {
        case .twoServices:
            let storage = try machines.start(
                "waymark-storage",
                ["--accounts", "required", "--listen", "tcp://0.0.0.0:7421", "--changes", "tcp://0.0.0.0:7422"])
            _ = try await storage.err.next { $0.contains("storage ready") }
            let query = try machines.start(
                "waymark-query",
                [
                    "--accounts", "required", "--keys-service", "\(machines.bench.path)/share/waymark/service.key",
                    "--listen", "tcp://0.0.0.0:7420",
                ])
            _ = try await query.err.next { $0.contains("query ready") }
            try await signIn(machines, "--listen", "tcp://0.0.0.0:7421")
        case .upWithAccounts:
            let data = "\(machines.bench.path)/share/waymark"
            try await up(machines, "--accounts")
            try await signIn(machines, "--data", data, "--listen", "ipc://\(data)/commands.ipc")
        case .upWithout: try await up(machines, environment: ["WAYMARK_QUERY_INSECURE": "true"])
        case .relay:
            let storage = try machines.start("waymark-storage", [])
            _ = try await storage.err.next { $0.contains("storage ready") }
            let query = try machines.start(
                "waymark-query",
                ["--listen", "tcp://0.0.0.0:7420", "--relay-listen", "tcp://0.0.0.0:7430", "--insecure"])
            _ = try await query.err.next { $0.contains("query ready") }
        }
    }

    private func up(
        _ machines: ProcessMachines, _ flags: String..., environment: [String: String] = [:]
    ) async throws {
        let up = try machines.start(
            "waymark", ["up", "--listen", "tcp://0.0.0.0:7420"] + flags, environment: environment)
        _ = try await up.out.next { $0 == "Stop with Ctrl-C." }
    }

    /// Makes the first administrator, with whose key the other machine signs in.
    private func signIn(_ machines: ProcessMachines, _ settings: String...) async throws {
        let create = try machines.start(
            "waymark-storage", ["admin", "create", "ann", "--accounts", "required"] + settings)
        let line = try await create.out.next { $0.contains("--code ") }
        let code = try #require(line.split(separator: " ").last)
        let password = try machines.bench.write("correct horse battery\n", to: "password")
        chmod(password, 0o600)
        let login = try machines.waymark(
            "login", "ann", "--code", String(code), "--password-file", password, "--timeout", "60s")
        #expect(try await login.ended() == 0, "\(login.err.all)")
    }
}
