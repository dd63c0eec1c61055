// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LoadTest
import ZeroMQ

struct RecordBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record the times and sizes of a bus's messages, to send such a load again.",
        discussion: """
            Connects a SUB socket to a PUB, or to the capture socket of a proxy, and subscribes to everything. The \
            file has a line for each message, with its time in seconds and its size in bytes; the contents are not \
            kept. --replay of the other bench commands reads it.

              waymark bench record tcp://127.0.0.1:5556 monday.csv --duration 1m
              waymark bench bus req tcp://127.0.0.1:5555 --replay monday.csv

            Ctrl-C ends the recording early and keeps it. The exit code is 3 if nobody publishes at the endpoint.
            """)

    @Argument(.endpoint, "The endpoint to connect to: tcp://HOST:PORT or ipc://PATH.")
    var endpoint: String

    @Argument(.text("file.csv"), "The file to write, which is replaced if it exists.")
    var file: String

    @Option(.time, "How long to record. Example: --duration 1m. (default: 10s)")
    var duration: Duration?

    @Flag(help: "Receive from a PUSH socket, whose other receivers get less then. Example: --pull. (default: PUB)")
    var pull = false

    @OptionGroup(title: "Security") var secrets: BusSecurityOptions
    @OptionGroup var printing: OutputOptions

    func validate() throws { try BenchFiles.check(file) }
    func run() async throws { try await BenchStage.run(printing) { try await record($0) } }

    private func record(_ stage: BenchStage) async throws {
        let (stop, security) = (stage.stop, try secrets.security())
        // A PULL socket that only looks whether somebody is there would take messages away.
        if !pull { try await BusProbe.meet(.sub, at: endpoint, security: security, stop: stop) }
        let (count, seconds) = try await LoadThread.run { [self] in try record(security) { stop.isAsked } }
        let time = LoadQuantity.text(seconds * 1e6, .microseconds)
        try stage.output.result("\(Figures.count(count, "message", "messages")) in \(time), written to \(file)") {
            $0.field("messages", count)
            $0.field("seconds", seconds)
            $0.field("file", file)
        }
        if let exitCode = stage.exitCode { throw exitCode }
        if count == 0 {
            throw Failure(
                "nothing_recorded",
                "No message came from \(endpoint): check that something is sent there, or whether it needs --pull.")
        }
    }

    /// Writes a line for each message until the time is over or `isStopped`, or a recording can have no more.
    private func record(
        _ security: SocketSecurity?, _ isStopped: () -> Bool
    ) throws -> (count: UInt64, seconds: Double) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure("output", BenchFiles.problem(file)) }
        defer { close(descriptor) }
        let sink = DescriptorSink(descriptor: descriptor)
        var options = BusTarget(security: security).options(for: endpoint)
        options.receiveHighWaterMark = 100_000
        let socket = try Socket(pull ? .pull : .sub, context: Context(), options: options)
        if !pull { try socket.subscribe([]) }
        try socket.connect(endpoint)
        var poller = Poller()
        poller.add(socket)
        var message = Message()
        var lines = LoadRecording.header
        var (count, first, last): (UInt64, UInt64, UInt64) = (0, 0, 0)
        let end = NanoClock.now + UInt64((duration ?? .seconds(10)) / .nanoseconds(1))
        while !isStopped(), NanoClock.now < end, count < UInt64(LoadRecording.mostMessages) {
            guard try socket.receive(into: &message) else {
                _ = try poller.wait(.milliseconds(20))
                continue
            }
            last = NanoClock.now
            if count == 0 { first = last }
            count += 1
            lines += LoadRecording.line(last - first, bytes: min(message.totalByteCount, LoadRecording.largest))
            guard lines.utf8.count > 65_536 else { continue }
            try sink.write(Array(lines.utf8))
            lines = ""
        }
        try sink.write(Array(lines.utf8))
        return (count, Double(last - first) / 1e9)
    }
}
