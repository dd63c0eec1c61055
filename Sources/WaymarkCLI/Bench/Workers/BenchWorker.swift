// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import Settings
import ZeroMQ

/// Runs the load tests that coordinators order, one at a time, and only against its own targets.
actor BenchWorker {
    private struct Job {
        let peer: [UInt8]
        let share: BenchShare
        /// The time of the coordinator's last sign of life.
        var heard = ContinuousClock.now
        var deadline = ContinuousClock.now + BenchWorker.patience
        var mayGo = false
    }

    /// The time for a test to be prepared, and for the other workers to be ready.
    private static let patience = Duration.seconds(600)
    /// The time without a sign of life after which a coordinator is gone.
    private static let silence = Duration.seconds(10)

    private let targets: Set<String>
    private let output: Output
    private let loop: EventLoop
    private var socket: Socket?
    private var watch: SocketWatch?
    private var job: Job?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ targets: Set<String>, _ output: Output, on loop: EventLoop) {
        (self.targets, self.output, self.loop) = (targets, output, loop)
    }

    /// Serves coordinators until the task is cancelled.
    func serve(_ endpoint: String, _ context: Context, _ options: SocketOptions) async throws {
        let socket = try Socket(.router, context: context, options: options)
        let bound = try socket.bind(endpoint)
        watch = loop.watch(socket, for: self, onReadable: { $0.receive() })
        self.socket = consume socket
        loop.schedule(every: .seconds(1), for: self) { $0.tick() }
        try output.line("Listening on \(bound). Stop with Ctrl-C.")
        await loop.wait { false }
        halt()
        watch = nil
        self.socket = nil
    }

    private func receive() {
        var message = Message()
        for _ in 0..<100 {
            guard (try? socket?.receive(into: &message)) == true else { return }
            hear(message)
        }
    }

    private func hear(_ message: borrowing Message) {
        // The router puts the peer's name in front.
        let peer = message.bytes(at: 0)
        do throws(Failure) {
            let order: WorkerOrder = try WorkerLetter.body(of: message)
            if case .run(let words, let part, let count) = order { return try take(words, part, count, from: peer) }
            // Nobody else may touch a coordinator's run.
            guard job?.peer == peer else { return }
            job?.heard = .now
            switch order {
            case .go: job?.mayGo = true
            case .stop: halt()
            case .run, .beat: break
            }
        } catch { send(.failed(status: error.status.rawValue, code: error.code, message: error.message), to: peer) }
    }

    private func take(_ words: [String], _ part: Int, _ count: Int, from peer: [UInt8]) throws(Failure) {
        let (loop, targets) = (loop, targets)
        guard job == nil else { throw Failure("busy", "It runs another test: try again later.") }
        guard (1...EndpointText.most).contains(count), (0..<count).contains(part) else {
            throw Failure("order", "There is no part \(part) of \(count).")
        }
        _ = try Self.test(words, targets)
        let share = BenchShare(
            part: part, count: count, begin: { try await self.begin($0) },
            tell: { answer in loop.submit { self.assumeIsolated { $0.send(answer, to: peer) } } })
        job = Job(peer: peer, share: share)
        output.notice("order", "Part \(part + 1) of \(count): bench \(words.joined(separator: " "))")
        Task {
            let failure = await Self.run(words, targets, share)
            end(failure, peer)
        }
    }

    /// Parses an order.
    ///
    /// - Throws: a failure unless the test can be divided and connects to nothing but the targets.
    static func test(_ words: [String], _ targets: Set<String>) throws(Failure) -> any DividedBench {
        _ = try WorkerWords.order(words, without: [])
        let command: any ParsableCommand
        do { command = try WaymarkTool.parse(["bench"] + words) } catch { throw .usage(Waymark.message(for: error)) }
        guard let test = command as? any DividedBench else { throw .usage("This test cannot be divided.") }
        if let obstacle = test.obstacle { throw .usage(obstacle) }
        guard !test.targets.isEmpty else { throw .usage("The test names no endpoint to send to.") }
        for target in test.targets where !targets.contains(target) {
            throw Failure(.denied, "target", "No --target of mine is \(target), so I send nothing there.")
        }
        return test
    }

    /// Runs a test as if a person had typed it, but without their variables, files and streams.
    private static func run(_ words: [String], _ targets: Set<String>, _ share: BenchShare) async -> Failure? {
        do {
            let surroundings = Surroundings(environment: [:], out: NoSink(), err: NoSink())
            try await Surroundings.$current.withValue(surroundings) {
                try await BenchShare.$current.withValue(share) {
                    var test = try Self.test(words, targets)
                    try await test.run()
                }
            }
            return nil
        } catch { return Failure(error) ?? Failure.failed(Waymark.message(for: error)) }
    }

    private func end(_ failure: Failure?, _ peer: [UInt8]) {
        job = nil
        output.notice("order_ended", failure?.message ?? "The test has ended.")
        guard let failure else { return }
        send(.failed(status: failure.status.rawValue, code: failure.code, message: failure.message), to: peer)
    }

    /// Says that a run is prepared, and waits for the coordinator's word.
    private func begin(_ shape: LoadShape) async throws {
        guard let share = job?.share else { throw BusStreamError.ended }
        job?.mayGo = false
        job?.deadline = ContinuousClock.now + Self.patience
        share.tell(.ready)
        await loop.wait { self.job?.mayGo == true || share.stop.isAsked }
        if share.stop.isAsked { throw BusStreamError.ended }
        output.notice("run_begins", "A run begins.")
        // The time that a count takes depends on the target.
        var seconds = 3_600.0
        if case .duration(let duration) = shape.end { seconds = duration }
        job?.deadline = ContinuousClock.now + Duration.seconds(min(max(0, seconds + shape.warmUp), 200_000) + 60)
    }

    private func tick() {
        guard let job else { return }
        send(.beat, to: job.peer)
        let now = ContinuousClock.now
        if now > job.deadline, !job.share.stop.isAsked {
            // Otherwise the figures would look like those of the whole run.
            let text = "stopped the run, which took too long. A run of a --count may take an hour: give --duration."
            send(.failed(status: ExitStatus.failed.rawValue, code: "deadline", message: text), to: job.peer)
        }
        if now - job.heard > Self.silence || now > job.deadline { halt() }
    }

    private func halt() { job?.share.stop.ask() }

    private func send(_ answer: WorkerAnswer, to peer: [UInt8]) {
        var message = Message()
        message.append(peer)
        WorkerLetter.append(answer, to: &message)
        // An answer to a coordinator that has gone is lost.
        _ = try? socket?.send(&message)
    }
}

private struct NoSink: ByteSink { func write(_ bytes: [UInt8]) throws(SinkError) {} }
