// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

/// The workers of a divided load test. Starts them together, adds up what they measure, and notices lost workers.
actor BenchCrew {
    /// A worker, and its part of the test.
    struct Seat: Sendable {
        var endpoint: String
        var security: SocketSecurity?
        var words: [String]
    }

    private struct Member {
        let socket: AsyncSocket
        var heard = ContinuousClock.now
        /// Whether the worker has answered at all.
        var isKnown = false
        var isReady = false
        var isLost = false
        /// The figures of the present run; empty if the run was stopped before it began; nil until it has ended.
        var runs: [LoadReport.Run]?
    }

    private enum Event: Sendable {
        case said(Int, WorkerAnswer)
        case failed(Int, Failure)
        case tick
    }

    /// The time without a sign of life after which a worker is lost. Workers give one each second.
    private static let patience = Duration.seconds(5)

    private let seats: [Seat]
    /// Whether each worker needs one of the connections of a closed loop.
    private let dividesClients: Bool
    private let output: Output
    private let loop: EventLoop
    private let events: AsyncStream<Event>
    private let told: AsyncStream<Event>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var members: [Member] = []
    private var seconds: SharedSeconds
    private var isRunning = false
    private var hasStopped = false

    /// Calls `body` with the workers of a test; with nil if the person wants none.
    ///
    /// - Parameter rest: words that the workers need besides those of the command line.
    static func with(
        _ command: some ParsableCommand, _ rest: [String] = [], _ output: Output, _ surroundings: Surroundings,
        _ body: (BenchCrew?) async throws -> Void
    ) async throws {
        guard let test = command as? any DividedBench, !test.workers.endpoints.isEmpty else { return try await body(nil) }
        if let obstacle = test.obstacle { throw Failure.usage(obstacle) }
        let words = try WorkerWords.order(Array(surroundings.arguments.dropFirst())) + rest
        let seats = try test.workers.endpoints.enumerated().map { place, endpoint in
            Seat(
                endpoint: endpoint, security: try test.workers.security(place),
                words: words + ["--seed", "\(test.load.seed &+ UInt64(place))"])
        }
        let crew = try BenchCrew(seats, dividesClients: test.dividesClients, output)
        do {
            try await crew.open()
            try await body(crew)
            try await crew.judge()
        } catch {
            await crew.close()
            throw error
        }
        await crew.close()
    }

    private init(_ seats: [Seat], dividesClients: Bool, _ output: Output) throws {
        (self.seats, self.dividesClients, self.output) = (seats, dividesClients, output)
        loop = try EventLoop(name: "workers")
        (events, told) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingOldest(100_000))
        seconds = SharedSeconds(workers: seats.count)
    }

    /// Makes cases whose runs are those of the workers.
    ///
    /// - Throws: a failure if the load has fewer connections than workers, which each need one.
    nonisolated func divided(_ cases: [BenchCase]) throws(Failure) -> [BenchCase] {
        for case .closed in cases.map(\.shape.loop) where dividesClients && cases[0].shape.clients < seats.count {
            throw .usage("Each worker needs a connection: give --clients \(seats.count) or more.")
        }
        return cases.map { one in
            var one = one
            one.run = { shape, watch in try await self.run(watch) }
            return one
        }
    }

    nonisolated var count: Int { seats.count }

    /// Connects to the workers, and sends each its part of the test.
    private func open() async throws {
        let (context, told) = (try Context(), told)
        for (place, seat) in seats.enumerated() {
            var options = SocketOptions.client
            // The time to send the last order.
            options.linger = .seconds(1)
            options.maxMessageSize = 64 << 20
            options.security = seat.security
            options.ipv6 = try await LoadThread.run { EndpointFamily.resolvesToIPv6(seat.endpoint) }
            let socket = try await AsyncSocket(.dealer, context: context, on: loop, options: options)
            try await socket.monitor { event, _ in
                if let failure = Self.failure(event, seat) { told.yield(.failed(place, failure)) }
            }
            try await socket.connect(seat.endpoint)
            members.append(Member(socket: socket))
            let order = WorkerOrder.run(words: seat.words, part: place, count: seats.count)
            try await socket.send([WorkerLetter(body: order).encoded])
            tasks.append(
                Task {
                    while let message = try? await socket.receive() {
                        do throws(Failure) {
                            let bytes = message[message.count - 1].bytes
                            told.yield(.said(place, try WorkerLetter<WorkerAnswer>.body(of: bytes)))
                        } catch {
                            let failure = Failure(
                                error.status, error.code, "cannot be understood. \(error.message)")
                            told.yield(.failed(place, failure))
                        }
                    }
                })
        }
        tasks.append(
            Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(500))
                    told.yield(.tick)
                }
            })
    }

    /// The failure of a handshake that would fail again; nil for any other event.
    private static func failure(_ event: SocketEvent, _ seat: Seat) -> Failure? {
        switch event {
        case .handshakeFailed(.auth):
            Failure(.denied, "denied", "does not admit this key: its --admit file needs a line with the public key.")
        case .handshakeFailed(.protocol):
            Failure(
                .cannotConnect, "cannot_connect",
                seat.security == nil
                    ? "asks for a key, or is no worker: give --worker-key."
                    : "has no such key, or is no worker: check the server's key in the --worker-key file.")
        default: nil
        }
    }

    /// Runs the next case: begins when all workers are ready, and ends when all have ended or are lost.
    private func run(_ watch: LoadWatch) async throws -> LoadResult {
        seconds = SharedSeconds(workers: seats.count)
        for place in members.indices { members[place].runs = nil }
        try await follow(watch) { $0.isReady }
        for place in members.indices { members[place].isReady = false }
        isRunning = true
        await tell(.go)
        try await follow(watch) { $0.runs != nil }
        isRunning = false
        let reports = members.compactMap(\.runs).filter { !$0.isEmpty }
        guard !reports.isEmpty else {
            if watch.stop.isAsked { throw BusStreamError.ended }
            throw Failure("worker_lost", "All workers are lost: there are no figures.")
        }
        let lost = members.count(where: { $0.runs == nil })
        var result = LoadResult(merging: reports, of: seats.count)
        if lost > 0 {
            result.figures.errors["worker_lost"] = UInt64(lost)
            // The other workers could not send the whole load of another run.
            watch.stop.ask()
        }
        return result
    }

    /// Handles events until each worker is where `isThere` says, or lost.
    private func follow(_ watch: LoadWatch, until isThere: (Member) -> Bool) async throws {
        if isOver(isThere) { return }
        for await event in events {
            switch event {
            case .said(let place, let answer): try heard(answer, from: place, watch)
            case .failed(let place, let failure) where !members[place].isKnown || failure.code != "cannot_connect":
                throw failed(place, failure)
            case .failed: break
            case .tick: try await tick(watch)
            }
            if isOver(isThere) { return }
        }
        throw CancellationError()
    }

    private func isOver(_ isThere: (Member) -> Bool) -> Bool { members.allSatisfy { $0.isLost || isThere($0) } }

    private func heard(_ answer: WorkerAnswer, from place: Int, _ watch: LoadWatch) throws {
        members[place].heard = .now
        members[place].isKnown = true
        switch answer {
        case .ready: members[place].isReady = true
        case .second(_, let second): seconds.add(second, of: place)
        case .done(let runs):
            members[place].runs = runs
            seconds.end(place)
        case .failed where watch.stop.isAsked:
            members[place].isReady = true
            members[place].runs = []
            seconds.end(place)
        case .failed(let status, let code, let message):
            let status = ExitStatus(rawValue: status) ?? .failed
            throw failed(place, Failure(status, String(code.prefix(40)), "says: \(message.prefix(1_000))"))
        case .beat: break
        }
        while let (number, second) = seconds.next() { watch.tell?(number, second) }
    }

    private func tick(_ watch: LoadWatch) async throws {
        await tell(watch.stop.isAsked && !hasStopped ? .stop : .beat)
        hasStopped = watch.stop.isAsked
        for place in members.indices where !members[place].isLost && .now - members[place].heard > Self.patience {
            guard members[place].isKnown else {
                throw failed(
                    place,
                    Failure(
                        .cannotConnect, "cannot_connect",
                        "does not answer: start it with \"waymark bench worker\", or check the endpoint and the keys."))
            }
            let loss = Failure(
                "worker_lost", "is lost, after \(Figures.count(seconds.done(place), "operation", "operations")) of this run.")
            guard isRunning else { throw failed(place, loss) }
            members[place].isLost = true
            seconds.end(place)
            output.notice("worker_lost", "Warning: \(failed(place, loss).message)")
        }
    }

    /// Sends an order to all workers that are not lost.
    private func tell(_ order: WorkerOrder) async {
        for member in members where !member.isLost { try? await member.socket.send([WorkerLetter(body: order).encoded]) }
    }

    private func failed(_ place: Int, _ failure: Failure) -> Failure {
        Failure(failure.status, failure.code, "The worker at \(seats[place].endpoint) \(failure.message)")
    }

    private func judge() throws(Failure) {
        let lost = members.count(where: \.isLost)
        guard lost > 0 else { return }
        throw Failure("worker_lost", "\(lost) of \(seats.count) workers were lost: the figures lack what they did.")
    }

    /// Ends the runs of the workers, and the connections.
    private func close() async {
        await tell(.stop)
        for member in members { await member.socket.close() }
        for task in tasks { task.cancel() }
        told.finish()
        await loop.stop()
    }
}
