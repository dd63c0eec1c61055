// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

/// The workers of a divided load test. Starts them together, adds up what they measure, and notices lost workers.
actor BenchCrew {
    private final class Member {
        let socket: Socket
        var watch: SocketWatch?
        var heard = ContinuousClock.now
        var isReady = false
        var isLost = false
        /// The figures of the present run; empty if the run was stopped before it began; nil until it has ended.
        var runs: [LoadReport.Run]?

        init(_ socket: consuming Socket) { self.socket = socket }
    }

    /// The time without a sign of life after which a worker is lost. Workers give one each second. On a busy machine
    /// libzmq begins a connection again after a handshake of 3 s, so there is time for that to happen twice.
    private static let patience = Duration.seconds(10)

    nonisolated let endpoints: [String]
    private let output: Output
    private let loop: EventLoop
    private var members: [Member] = []
    private var seconds = SharedSeconds(workers: 0)
    private var watch: LoadWatch?
    private var isRunning = false
    private var failure: Failure?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Calls `body` with the workers of a test, which stay until the stage closes; with nil if the person wants none.
    ///
    /// - Parameter rest: words that the workers need besides those of the command line.
    static func with(
        _ command: some ParsableCommand, _ rest: [String], _ stage: BenchStage,
        _ body: (BenchCrew?) async throws -> Void
    ) async throws {
        guard let test = command as? any DividedBench, !test.workers.endpoints.isEmpty else {
            return try await body(nil)
        }
        if let obstacle = test.obstacle { throw Failure.usage(obstacle) }
        // A worker tells the figures of each second, but no histogram that a window could add up.
        try refuse(if: test.report.abortRule != nil, "--abort-if cannot be used with --workers: leave one of them out.")
        // The first argument is `bench`.
        let words = try WorkerWords.order(Array(stage.surroundings.arguments.dropFirst())) + rest
        let crew = BenchCrew(test.workers.endpoints, stage.output, on: try EventLoop(name: "workers"))
        stage.atEnd { await crew.close() }
        try await crew.open(words, seed: test.load.seed, test.workers)
        try await body(crew)
        try await crew.judge()
    }

    private init(_ endpoints: [String], _ output: Output, on loop: EventLoop) {
        (self.endpoints, self.output, self.loop) = (endpoints, output, loop)
    }

    nonisolated func divided(_ one: BenchCase) -> BenchCase {
        var one = one
        one.run = { _, watch in try await self.run(watch) }
        return one
    }

    /// Connects to the workers, and sends each its part of the test.
    private func open(_ words: [String], seed: UInt64, _ workers: WorkerOptions) throws {
        let context = try Context()
        for (place, endpoint) in endpoints.enumerated() {
            // A slow resolver blocks only this loop.
            var options = BusTarget(security: try workers.security(place)).options(for: endpoint)
            // The time to send the last order.
            options.linger = .seconds(1)
            options.maxMessageSize = 64 << 20
            let member = Member(try Socket(.dealer, context: context, options: options))
            member.watch = loop.watch(member.socket, for: self, onReadable: { $0.receive(place) })
            try member.socket.connect(endpoint)
            members.append(member)
            let own = words + ["--seed", "\(seed &+ UInt64(place))"]
            send(.run(words: own, part: place, count: endpoints.count), to: member)
        }
        loop.schedule(every: .milliseconds(500), for: self) { $0.tick() }
    }

    /// Runs the next case: begins when all workers are ready, and ends when all have ended or are lost.
    private func run(_ watch: LoadWatch) async throws -> LoadResult {
        (seconds, self.watch) = (SharedSeconds(workers: members.count), watch)
        for member in members { member.runs = nil }
        try await wait { $0.isReady }
        for member in members {
            member.isReady = false
            send(.go, to: member)
        }
        isRunning = true
        try await wait { $0.runs != nil }
        isRunning = false
        let reports = members.compactMap(\.runs).filter { !$0.isEmpty }
        let lost = members.count(where: { $0.runs == nil })
        guard !reports.isEmpty else {
            if lost == 0 { throw BusStreamError.ended }
            throw Failure("worker_lost", "All workers are lost, with their figures.")
        }
        var result = LoadResult(merging: reports, of: members.count)
        if lost > 0 {
            result.figures.errors["worker_lost"] = UInt64(lost)
            // The other workers could not send the whole load of another run.
            watch.stop.ask()
        }
        return result
    }

    private func wait(until isThere: @escaping (Member) -> Bool) async throws {
        let isOver = await loop.wait { self.failure != nil || self.members.allSatisfy { $0.isLost || isThere($0) } }
        if let failure { throw failure }
        if !isOver { throw CancellationError() }
    }

    private func receive(_ place: Int) {
        var message = Message()
        // A level-triggered watch calls again for the rest.
        for _ in 0..<100 {
            guard members.indices.contains(place), (try? members[place].socket.receive(into: &message)) == true
            else { return }
            do throws(Failure) {
                heard(try WorkerLetter.body(of: message), from: place)
            } catch { fail(place, error.status, error.code, "cannot be understood. \(error.message)") }
        }
    }

    private func heard(_ answer: WorkerAnswer, from place: Int) {
        let member = members[place]
        member.heard = .now
        switch answer {
        case .ready: member.isReady = true
        case .second(let second): seconds.add(second, of: place)
        case .done(let runs): member.runs = runs
        case .failed where watch?.stop.isAsked == true: (member.isReady, member.runs) = (true, [])
        case .failed(let status, let code, let message):
            fail(
                place, ExitStatus(rawValue: status) ?? .failed, String(code.prefix(40)),
                "says: \(message.prefix(1_000))")
        case .beat: break
        }
        if member.runs != nil { seconds.end(place) }
        tellSeconds()
    }

    private func tellSeconds() { while let (number, second) = seconds.next() { watch?.tell?(number, second) } }

    private func tick() {
        let isStopping = watch?.stop.isAsked == true
        for (place, member) in members.enumerated() where !member.isLost {
            send(isStopping ? .stop : .beat, to: member)
            guard ContinuousClock.now - member.heard > Self.patience else { continue }
            guard isRunning else {
                fail(
                    place, .cannotConnect, "cannot_connect",
                    "does not answer: start it with waymark bench worker, or check the endpoint and the keys.")
                continue
            }
            member.isLost = true
            seconds.end(place)
            tellSeconds()
            let done = Figures.count(seconds.done(place), "operation", "operations")
            output.notice("worker_lost", "Warning: The worker at \(endpoints[place]) is lost, after \(done) of a run.")
        }
    }

    private func send(_ order: WorkerOrder, to member: Member) {
        var message = Message()
        WorkerLetter.append(order, to: &message)
        _ = try? member.socket.send(&message)
    }

    private func fail(_ place: Int, _ status: ExitStatus, _ code: String, _ text: String) {
        failure = failure ?? Failure(status, code, "The worker at \(endpoints[place]) \(text)")
    }

    private func judge() throws(Failure) {
        let lost = members.count(where: \.isLost)
        guard lost > 0 else { return }
        throw Failure("worker_lost", "\(lost) of \(members.count) workers were lost: the figures lack what they did.")
    }

    private func close() async {
        for member in members { send(.stop, to: member) }
        members = []
        await loop.stop()
    }
}
