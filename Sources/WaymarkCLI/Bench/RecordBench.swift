// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LoadTest
import Settings
import ZeroMQ

struct RecordBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record the times and sizes of a bus's messages, to send such a load again.",
        discussion: """
            Connects a SUB socket to a PUB, or to the capture socket of a proxy, and subscribes to everything; with \
            --pull it connects a PULL socket. A PULL takes messages away from other receivers. The file has a line for \
            each message, with its time in seconds and its size in bytes; the contents are not kept. --replay of the \
            other bench commands reads it.

              waymark bench record tcp://127.0.0.1:5556 monday.csv --duration 1m
              waymark bench bus req tcp://127.0.0.1:5555 --replay monday.csv

            Ctrl-C ends the recording early and keeps it. The exit code is 3 if nobody listens at the endpoint.
            """)

    @Argument(.endpoint, "The endpoint to connect to: tcp://HOST:PORT or ipc://PATH.")
    var endpoint: String

    @Argument(.text("file.csv"), "The file to write, which is replaced if it exists.")
    var file: String

    @Option(.time, "How long to record. Example: --duration 1m. (default: 10s)")
    var duration: Duration?

    @Flag(help: "Receive from a PUSH socket. Example: --pull. (default: from a PUB socket)")
    var pull = false

    @OptionGroup var printing: OutputOptions

    func validate() throws {
        try refuse(
            if: access(PathText.folder(of: file), W_OK) != 0,
            "\(file) cannot be written: check its folder and the permissions.")
    }

    func run() async throws {
        try await BenchStage.run(.current) { try await record($0) }
    }

    private func record(_ stage: BenchStage) async throws {
        let kind: Socket.Kind = pull ? .pull : .sub
        let (seconds, stop) = ((duration ?? .seconds(10)) / .seconds(1), stage.interrupt.stop)
        try await BusProbe.meet(kind, at: endpoint, stop: stop)
        let recorded = try await LoadThread.run { [endpoint, file] in
            let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw Failure(.failed, "output", "\(file) cannot be written: check its folder and the permissions.")
            }
            defer { close(descriptor) }
            let sink = DescriptorSink(descriptor: descriptor)
            return try BusRecorder.record(kind, at: endpoint, seconds: seconds, stop: stop) {
                try sink.write(Array($0.utf8))
            }
        }
        let output = stage.surroundings.output(printing.format, printing.color)
        try output.result(
            "\(Figures.count(recorded.messages, "message", "messages")) in "
                + "\(LoadQuantity.text(recorded.seconds * 1e6, .microseconds)), written to \(file)"
        ) {
            $0.field("messages", recorded.messages)
            $0.field("seconds", recorded.seconds)
            $0.field("file", file)
        }
        if let exitCode = stage.interrupt.exitCode { throw exitCode }
        if recorded.messages == 0 {
            throw Failure(
                .failed, "nothing_recorded",
                "No message came from \(endpoint): check that something is published there, and whether it needs --pull.")
        }
    }
}
