// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LoadTest
import ZeroMQ

struct BusBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bus",
        abstract: "Load-test any ZeroMQ bus.",
        discussion: """
            req sends requests to a REP or ROUTER socket and times the answers; dealer does the same without any \
            envelope, for a ROUTER that returns the request. push and pub send one way, to a PULL or SUB socket. \
            Without an endpoint both ends are in this process, connected over TCP on loopback: that measures ZeroMQ \
            itself. The other end need not be Waymark.

              waymark bench bus req --window 128
              waymark bench bus req tcp://127.0.0.1:5555 --rate 5k --assert 'p99<5ms,errors=0'
              waymark bench bus pub --clients 4 --rate 20k --sizes 64,256,1k,4k
              waymark bench bus pub tcp://broker:5559 --receive tcp://broker:5560 --rate 10k
              waymark bench bus pub --clients 3 --rate 20k --hwm 1000 --slow 1:50%
            """)

    @Argument(help: "req, dealer, push or pub.")
    var pattern: BusPattern

    @Argument(
        .endpoint, "The endpoint to connect to: tcp://HOST:PORT or ipc://PATH. (default: both ends in this process)")
    var endpoint: String?

    @Option(
        .endpoint,
        "push, pub: where the messages arrive, behind a proxy or a broker. Example: --receive tcp://broker:5560.")
    var receive: String?

    @Option(.bytes, "Bytes of a message, at least 16 (push, pub: 24). Example: --size 1k. (default: 64)")
    var size: Int?

    @Option(
        ValueForm<[MessageSizes]>(word: "list", read: Values.sizes),
        "One run for each of these sizes, or one run with various sizes: lognormal:MEDIAN,FACTOR or "
            + "uniform:LEAST..MOST. Example: --sizes 64,256,1k,4k or --sizes lognormal:200,2.")
    var sizes: [MessageSizes]?

    @Option(
        .count(upTo: 64),
        "Frames of a message, each of --size bytes, after its topic or envelope. Example: --frames 3.")
    var frames: Int = 1

    @Option(
        .bytes,
        "req, dealer: bytes of an answer by an end in this process. Example: --answer-size 3k. (default: --size)")
    var answerSize: Int?

    @Flag(help: "req: the other end returns a request behind an empty frame only. Example: --echo. (default: as REP)")
    var echo = false

    @Option(
        .time,
        "req, dealer: how long to wait for an answer before it has failed. Example: --timeout 500ms. (default: 5s)")
    var timeout: Duration?

    @Option(
        ValueForm<EchoServer.Stall>(word: "count:time", read: BusBench.stall),
        "req, dealer: the end in this process pauses once after so many requests. Example: --stall 1000:200ms.")
    var stall: EchoServer.Stall?

    @Option(
        ValueForm<UInt64>(word: "time", read: BusBench.delay),
        "req, dealer: how long the end in this process works on an answer, up to 1s. Example: --answer-delay 50us.")
    var answerDelay: UInt64?

    @OptionGroup(title: "One way") var stream: BusStreamOptions
    @OptionGroup(title: "Security") var secrets: BusSecurityOptions
    @OptionGroup(title: "Load") var load: BenchShapeOptions
    @OptionGroup(title: "Figures") var report: BenchReportOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup var printing: OutputOptions

    func validate() throws {
        try refuse(if: size != nil && sizes != nil, "--size and --sizes exclude each other: give one of them.")
        let least = pattern.isAnswered ? 16 : BusStreamTest.leastBytes
        try refuse(
            if: allSizes.contains { if case .fixed(let size) = $0 { size < least } else { false } },
            "A message needs at least \(least) bytes, for its number, its time"
                + (pattern.isAnswered ? "." : " and the tag of its run."))
        let seesArrivals = !pattern.isAnswered && (endpoint == nil || receive != nil)
        try stream.validate(pattern, load, seesArrivals: seesArrivals)
        try refuse(
            if: secrets.isGiven && endpoint == nil,
            "CURVE and PLAIN are for an endpoint: both ends in this process connect in the clear.")
        let isUsual = allSizes.allSatisfy { if case .fixed = $0 { true } else { false } } && frames == 1
        try refuse(
            if: report.raw && (!isUsual || stream.isPlanned || secrets.isGiven),
            "--raw sends one frame of one size in the clear to all receivers: leave --raw out, or --frames, the "
                + "distribution of sizes, topics, slow and late receivers, CURVE and PLAIN.")
        switch pattern {
        case .req, .dealer:
            try refuse(if: receive != nil, "--receive is for push and pub: requests see their answers.")
            try refuse(if: echo && pattern == .dealer, "--echo is for req: dealer always needs its request back.")
            try refuse(
                if: endpoint != nil && (answerSize != nil || stall != nil || answerDelay != nil),
                "--answer-size, --answer-delay and --stall are for the other end in this process.")
        case .push, .pub:
            try refuse(
                if: answerSize != nil || stall != nil || answerDelay != nil || echo || timeout != nil,
                "--answer-size, --answer-delay, --stall, --echo and --timeout are for req and dealer.")
            try refuse(
                if: receive != nil && endpoint == nil,
                "--receive is for messages that an endpoint forwards: give that endpoint too.")
            try refuse(if: pattern == .push && load.clients > 1, "push has one receiver: leave --clients out.")
        }
        try report.validate(load, seesArrivals: seesArrivals)
    }

    func run() async throws {
        try await BenchStage.run(printing) { stage in
            try await BenchCrew.with(self, [], stage) { try await measure(stage, $0) }
        }
    }

    private func measure(_ stage: BenchStage, _ crew: BenchCrew?) async throws {
        let target = BusTarget(endpoint: endpoint, receive: receive, security: try secrets.security())
        var run = BenchRun(
            "bus \(pattern.rawValue)", cases(target), load, report, stage, crew,
            versions: ["libzmq": Context.libraryVersion])
        let parameters: [String: String?] = [
            "answer_bytes": answerSize.map { "\($0)" }, "answer_delay_ns": answerDelay.map { "\($0)" },
            "ends": endpoint == nil ? "both" : receive == nil ? "one" : "around",
            "frames": frames > 1 ? "\(frames)" : nil,
            "security": secrets.curveServerKey != nil ? "curve" : secrets.plainUser != nil ? "plain" : nil,
        ]
        run.report.parameters?.merge(parameters.merging(stream.parameters) { $1 }.compactMapValues { $0 }) { $1 }
        if !pattern.isAnswered, endpoint != nil, receive == nil {
            run.report.warnings = [
                "Arrivals are not counted: the latency is the time until the socket accepted a message."
            ]
        }
        // Workers meet the peers themselves.
        if crew == nil { try await meetPeers(target, stage.stop) }
        try await run.go()
    }
}

enum BusPattern: String, CaseIterable, ExpressibleByArgument {
    case push, pub, req, dealer

    var sender: Socket.Kind {
        switch self {
        case .push: .push
        case .pub: .pub
        case .req, .dealer: .dealer
        }
    }

    var isAnswered: Bool { self == .req || self == .dealer }
}

extension BusBench {
    var allSizes: [MessageSizes] {
        if let replay = load.replay, size == nil { return sizes ?? [.recorded(replay.sizes(warmUp: load.warmup))] }
        return sizes ?? [.fixed(size ?? 64)]
    }

    func cases(_ target: BusTarget) -> [BenchCase] {
        allSizes.map { sizes in
            let message = BusMessage(sizes, frames: frames)
            let run: BenchCase.Run
            let bare: BenchCase.Run
            if pattern.isAnswered {
                var test = BusRequestTest(
                    answerBytes: answerSize, timeout: UInt64((timeout ?? .seconds(5)) / .nanoseconds(1)))
                (test.target, test.message, test.stall) = (target, message, stall)
                test.envelope = pattern == .dealer ? .dealer : echo ? .echo : .numbered
                test.delay = answerDelay ?? 0
                run = test.run
                bare = test.runBare
            } else {
                var test = BusStreamTest(pattern == .push ? .push : .pub, receivers: load.clients)
                (test.target, test.message) = (target, message)
                stream.apply(to: &test)
                run = test.run
                bare = test.runBare
            }
            return BenchCase(
                label: (frames > 1 ? "\(frames) × " : "") + Values.text(of: sizes),
                shape: load.shape(defaultWindow: pattern.isAnswered ? 1 : 1_000), run: run,
                bare: report.raw ? .init(name: "bare bus") { shape, watch, _ in try await bare(shape, watch) } : nil)
        }
    }

    /// Fails unless a peer answers at each endpoint.
    func meetPeers(_ target: BusTarget, _ stop: LoadStop) async throws {
        for (endpoint, kind) in [(target.endpoint, pattern.sender), (target.receive, pattern == .push ? .pull : .sub)] {
            guard let endpoint else { continue }
            try await BusProbe.meet(kind, at: endpoint, security: target.security, stop: stop)
        }
    }

    /// Reads a delay and returns its nanoseconds.
    static func delay(_ text: String) throws -> UInt64 {
        guard let microseconds = LoadQuantity.read(text, as: .microseconds), (0.001...1e6).contains(microseconds) else {
            throw BadValue("a delay is a time up to 1s with ns, us, ms or s, such as 50us.")
        }
        return UInt64(microseconds * 1_000)
    }

    static func stall(_ text: String) throws -> EchoServer.Stall {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let after = UInt64(parts[0]), after > 0,
            let time = try? Values.duration(String(parts[1])),
            time <= .seconds(10)
        else { throw BadValue("a stall is COUNT:TIME of up to 10s, such as 1000:200ms.") }
        return EchoServer.Stall(after: after, milliseconds: UInt64(time / .milliseconds(1)))
    }
}
