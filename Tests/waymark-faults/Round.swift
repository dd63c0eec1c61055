// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import TestSupport

/// A run of all programs from an empty folder, with faults drawn from a seed, and the validation of the result.
///
/// Runs on one thread, which may block.
final class Round {
    private let options: RoundOptions
    private let cluster: Cluster
    private var random: SplitMix64
    private var result = RoundResult()
    /// The planned actions with their times.
    private var agenda: [(at: ContinuousClock.Instant, action: () throws -> Void)] = []
    private var incarnations: [Int: Int] = [:]
    private var isStorageAwaited = false
    /// The clients that ended by themselves and were reported.
    private var told: Set<String> = []

    init(_ options: RoundOptions) throws {
        self.options = options
        random = SplitMix64(seed: options.seed)
        cluster = try Cluster(
            directory: options.directory, products: options.products, queries: options.queries)
        cluster.environment["WAYMARK_MUTATION"] = options.mutation?.name
    }

    static func run(_ options: RoundOptions) throws -> RoundResult {
        let round = try Round(options)
        defer { round.cluster.close() }
        try round.begin()
        try round.disturb()
        try round.settle()
        return try round.judge()
    }

    private func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

    private func begin() throws {
        prepareStorage()
        try cluster.startStorage()
        cluster.awaitStorage()
        for query in 0..<options.queries { try cluster.startQuery(query) }
        usleep(300_000)
        for writer in 0..<options.writers { try startWriter(writer) }
        for process in 0..<options.processes { try startSubscriber(process) }
    }

    /// Prepares storage's next start: whether its disk may lose writes, and a failpoint that kills it.
    private func prepareStorage() {
        var environment: [String: String] = [:]
        if let lossy = options.lossy, below(2) == 0 {
            environment["LD_PRELOAD"] = lossy
            environment["WAYMARK_VFS"] = "lossy"
            result.faults["lossy-disk", default: 0] += 1
        }
        if below(2) == 0 {
            let point = ["before-commit", "after-commit", "after-answer", "after-publish"][below(4)]
            environment["WAYMARK_FAILPOINTS"] = "\(point)=kill@\(20 + below(3_000))"
        }
        cluster.storageEnvironment = environment
    }

    private func startWriter(_ number: Int) throws {
        try cluster.startWriter(
            number, rate: options.rate / Double(options.writers), seed: options.seed &+ UInt64(number) & 0xffff_ffff,
            incarnation: incarnations[number, default: 0], query: number % options.queries)
        incarnations[number, default: 0] += 1
    }

    private func startSubscriber(_ number: Int) throws {
        try cluster.startSubscriber(
            number, first: number * options.feedsEach,
            feeds: min(options.feedsEach, options.subscribers - number * options.feedsEach),
            query: number % options.queries)
    }

    private func disturb() throws {
        let end = ContinuousClock.now + .seconds(options.seconds)
        var next = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end {
            if ContinuousClock.now >= next {
                let fault = Fault.any(
                    &random, queries: options.queries, subscribers: options.processes, writers: options.writers)
                result.faults[fault.name, default: 0] += 1
                try make(fault)
                next = ContinuousClock.now + .milliseconds(500 + below(3_500))
            }
            try tend()
            usleep(20_000)
        }
    }

    /// Performs due actions, and restarts programs that have ended.
    private func tend() throws {
        let now = ContinuousClock.now
        for item in agenda where item.at <= now { try item.action() }
        agenda.removeAll { $0.at <= now }
        try tendOthers()
        guard let status = cluster.storage?.status, !isStorageAwaited else { return }
        // Storage was killed by its failpoint, or by something unexpected.
        if status == 128 + SIGKILL {
            result.faults["failpoint", default: 0] += 1
        } else if status != 0 {
            result.violations.append("storage ended by itself with status \(status)")
        }
        restartStorage()
    }

    /// A killed program is restarted by the fault that killed it. Any other end is a violation.
    private func tendOthers() throws {
        for number in cluster.queries.indices {
            guard let status = cluster.queries[number]?.status, status != 128 + SIGKILL else { continue }
            result.violations.append("query service \(number) ended by itself with status \(status)")
            try cluster.startQuery(number)
        }
        for (name, client) in cluster.clients {
            guard let status = client.status, status != 128 + SIGKILL, !told.contains(name) else { continue }
            told.insert(name)
            result.violations.append("\(name) ended by itself with status \(status)")
        }
    }

    private func later(_ milliseconds: Int, _ action: @escaping () throws -> Void) {
        agenda.append((ContinuousClock.now + .milliseconds(milliseconds), action))
    }

    private func restartStorage() {
        isStorageAwaited = true
        later(below(1_500)) { [self] in
            isStorageAwaited = false
            prepareStorage()
            try cluster.startStorage()
        }
    }

    private func pause(_ program: Program?, _ milliseconds: Int) {
        program?.send(SIGSTOP)
        later(milliseconds) { program?.send(SIGCONT) }
    }

    private func make(_ fault: Fault) throws {
        switch fault {
        case .killStorage where !isStorageAwaited:
            cluster.storage?.slay()
            restartStorage()
        case .termStorage where !isStorageAwaited: try end()
        case .killStorage, .termStorage: break
        case .stopStorage(let time): pause(cluster.storage, time)
        case .killQuery(let number):
            cluster.queries[number]?.slay()
            later(below(1_500)) { [self] in
                if cluster.queries[number]?.status != nil { try cluster.startQuery(number) }
            }
        case .stopQuery(let number, let time): pause(cluster.queries[number], time)
        case .killSubscriber(let number):
            cluster.clients["subscriber\(number)"]?.slay()
            later(below(3_000)) { [self] in
                if cluster.clients["subscriber\(number)"]?.status != nil { try startSubscriber(number) }
            }
        case .stopSubscriber(let number, let time): pause(cluster.clients["subscriber\(number)"], time)
        case .killWriter(let number):
            cluster.clients["writer\(number)"]?.slay()
            later(below(500)) { [self] in
                if cluster.clients["writer\(number)"]?.status != nil { try startWriter(number) }
            }
        case .cut: for proxy in [cluster.feedProxy, cluster.commandProxy] { proxy.cut() }
        case .freeze(let time): hold(cluster.feedProxy, time)
        case .freezeCommands(let time): hold(cluster.commandProxy, time)
        case .drop(let count): cluster.feedProxy.drop(messages: count)
        case .delay(let by, let time):
            cluster.feedProxy.delay(milliseconds: by)
            later(time) { [self] in cluster.feedProxy.delay(milliseconds: 0) }
        }
    }

    private func hold(_ proxy: TCPProxy, _ milliseconds: Int) {
        proxy.freeze(true)
        later(milliseconds) { proxy.freeze(false) }
    }

    /// SIGTERM: storage must end by itself with 0.
    private func end() throws {
        guard let storage = cluster.storage, storage.status == nil else { return }
        storage.send(SIGCONT)
        storage.send(SIGTERM)
        let status = storage.wait(.seconds(15))
        if status != 0, status != 128 + SIGKILL {
            result.violations.append("SIGTERM: storage ended with \(status.map { "\($0)" } ?? "nothing at all")")
            storage.slay()
        }
        restartStorage()
    }

    /// Lets all programs run without faults until every subscriber has every change.
    private func settle() throws {
        agenda = []
        for number in 0..<options.processes where cluster.clients["subscriber\(number)"]?.status != nil {
            try startSubscriber(number)
        }
        let (head, problems) = try cluster.finish()
        result.head = head
        result.violations += problems
    }

    private func judge() throws -> RoundResult {
        let validator = try cluster.validate()
        let counts = validator.counts
        (result.changes, result.resumes, result.gaps) = (counts.changes, counts.resumes, counts.gaps)
        (result.lost, result.replayed, result.snapshots) = (counts.lost, counts.replayed, counts.snapshots)
        (result.acknowledged, result.unanswered, result.ends) = (counts.acknowledged, counts.unanswered, counts.ends)
        result.violations += validator.violations.map(\.description)
        for writer in 0..<options.writers {
            for life in try lives("\(options.directory)/writer\(writer).stats") where life.count == 3 {
                result.attempted += life[1]
                result.sent += life[2]
            }
        }
        for subscriber in 0..<options.processes {
            for life in try lives("\(options.directory)/subscriber\(subscriber).stats") where life.count == 2 {
                result.pulls += life[1]
            }
        }
        return result
    }

    /// The last line of each start of a writer.
    private func lives(_ path: String) throws -> [[Int]] {
        var last: [Int: [Int]] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            if let life = numbers.first { last[life] = numbers }
        }
        return Array(last.values)
    }
}
