// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

/// Runs the load tests that coordinators order, one at a time, and only against its own targets.
actor BenchWorker {
    /// The order that is being run.
    private struct Job {
        let peer: [UInt8]
        let share: BenchShare
        /// The time of the coordinator's last sign of life.
        var heard = ContinuousClock.now
        var deadline = ContinuousClock.now + BenchWorker.patience
        /// The run that waits for the coordinator's word.
        var waiting: CheckedContinuation<Void, Never>?
    }

    private struct Reply: Sendable {
        var peer: [UInt8]
        var answer: WorkerAnswer
    }

    /// The time for a test to be prepared, and for the other workers to be ready.
    private static let patience = Duration.seconds(600)
    /// The time without a sign of life after which a coordinator is gone.
    private static let silence = Duration.seconds(10)

    private let targets: Set<String>
    private let output: Output
    private let replies: AsyncStream<Reply>.Continuation
    private var job: Job?

    /// Serves coordinators until the task is cancelled.
    static func serve(_ socket: AsyncSocket, targets: Set<String>, _ output: Output) async throws {
        let (replies, told) = AsyncStream.makeStream(of: Reply.self, bufferingPolicy: .bufferingOldest(10_000))
        let worker = BenchWorker(targets, output, told)
        let sending = Task {
            for await reply in replies {
                // A reply to a coordinator that has gone is lost.
                try? await socket.send([reply.peer, WorkerLetter(body: reply.answer).encoded])
            }
        }
        let ticking = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                await worker.tick()
            }
        }
        defer {
            sending.cancel()
            ticking.cancel()
        }
        for try await message in socket.messages where message.count == 2 {
            await worker.hear(message[0].bytes, message[1].bytes)
        }
        await worker.halt()
    }

    private init(_ targets: Set<String>, _ output: Output, _ replies: AsyncStream<Reply>.Continuation) {
        (self.targets, self.output, self.replies) = (targets, output, replies)
    }

    private func hear(_ peer: [UInt8], _ bytes: [UInt8]) {
        do throws(Failure) {
            let order = try WorkerLetter<WorkerOrder>.body(of: bytes)
            if case .run(let words, let part, let count) = order { return try take(words, part, count, from: peer) }
            // Nobody else may touch a coordinator's run.
            guard job?.peer == peer else { return }
            job?.heard = .now
            switch order {
            case .go:
                job?.waiting?.resume()
                job?.waiting = nil
            case .stop: halt()
            case .run, .beat: break
            }
        } catch {
            replies.yield(Reply(peer: peer, answer: WorkerAnswer(error)))
        }
    }

    private func take(_ words: [String], _ part: Int, _ count: Int, from peer: [UInt8]) throws(Failure) {
        guard job == nil else { throw Failure("busy", "It runs another test: try again later.") }
        guard (1...EndpointText.most).contains(count), (0..<count).contains(part) else {
            throw Failure("order", "There is no part \(part) of \(count).")
        }
        _ = try Self.test(words, targets)
        let (replies, targets) = (replies, targets)
        let share = BenchShare(
            part: part, count: count, begin: { try await self.begin($0) },
            tell: { replies.yield(Reply(peer: peer, answer: $0)) })
        job = Job(peer: peer, share: share)
        output.notice("order", "Part \(part + 1) of \(count): bench \(words.joined(separator: " "))")
        Task {
            let failure = await Self.run(words, targets, share)
            await self.end(failure)
        }
    }

    /// Parses an order.
    ///
    /// - Throws: a failure unless the test can be divided and connects to nothing but the targets.
    static func test(_ words: [String], _ targets: Set<String>) throws(Failure) -> any DividedBench {
        try WorkerWords.check(words)
        let command: any ParsableCommand
        do { command = try WaymarkTool.parse(["bench"] + words) } catch { throw .usage(Waymark.message(for: error)) }
        guard let test = command as? any DividedBench else { throw .usage("This test cannot be divided.") }
        if let obstacle = test.obstacle { throw .usage(obstacle) }
        guard !test.targets.isEmpty else { throw .usage("The test names no endpoint to send to.") }
        for target in test.targets where !targets.contains(target) {
            throw Failure(.denied, "target", "Its --target does not name \(target), so it sends nothing there.")
        }
        return test
    }

    /// Runs a test as if a person had typed it, but without their variables, files and streams.
    private static func run(_ words: [String], _ targets: Set<String>, _ share: BenchShare) async -> Failure? {
        do {
            var surroundings = Surroundings(environment: [:], out: NoSink(), err: NoSink())
            surroundings.arguments = ["bench"] + words
            try await Surroundings.$current.withValue(surroundings) {
                try await BenchShare.$current.withValue(share) {
                    var test = try Self.test(words, targets)
                    try await test.run()
                }
            }
            return nil
        } catch {
            return Failure(error) ?? .failed(Waymark.message(for: error))
        }
    }

    private func end(_ failure: Failure?) {
        if let job, let failure { replies.yield(Reply(peer: job.peer, answer: WorkerAnswer(failure))) }
        job = nil
        output.notice("order_ended", failure?.message ?? "The test has ended.")
    }

    /// Says that a run is prepared, and waits for the coordinator's word.
    private func begin(_ shape: LoadShape) async throws {
        guard let stop = job?.share.stop, !stop.isAsked else { throw BusStreamError.ended }
        job?.deadline = .now + Self.patience
        await withCheckedContinuation { continuation in
            job?.waiting = continuation
            job?.share.tell(.ready)
        }
        if stop.isAsked { throw BusStreamError.ended }
        job?.deadline = .now + Self.longest(shape)
    }

    /// The time that a run may take in all. The end of a run with a count depends on its target.
    private static func longest(_ shape: LoadShape) -> Duration {
        var seconds = 3_600.0
        if case .duration(let duration) = shape.end { seconds = min(max(0, duration), 86_400) }
        return .seconds(seconds + min(max(0, shape.warmUp), 86_400) + 60)
    }

    private func tick() {
        guard let job else { return }
        job.share.tell(.beat)
        if ContinuousClock.now - job.heard > Self.silence || ContinuousClock.now > job.deadline { halt() }
    }

    /// Ends the run early.
    private func halt() {
        job?.share.stop.ask()
        job?.waiting?.resume()
        job?.waiting = nil
    }
}

/// Drops everything.
struct NoSink: ByteSink {
    func write(_ bytes: [UInt8]) throws(SinkError) {}
}
