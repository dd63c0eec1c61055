// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcess
import TestTurns
import Testing

@Suite("Load tests of pyzmq's sockets", .serialized, .inTurn)
struct ProcessLoadPythonTests {
    private static let python = "/usr/bin/python3"
    private static let hasPyzmq = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/zmq")

    /// A REP with CURVE, a ROUTER that returns its requests, a ROUTER that answers without an envelope, and an XSUB/XPUB
    /// proxy. Prints their endpoints on one line.
    private static let peers = """
        import threading, zmq
        context = zmq.Context()
        public, secret = zmq.curve_keypair()
        open("server.pub", "wb").write(public)

        def bound(kind, place="tcp://127.0.0.1", curve=False):
            socket = context.socket(kind)
            socket.ipv6 = "[" in place
            if curve:
                socket.curve_publickey, socket.curve_secretkey, socket.curve_server = public, secret, True
            return socket, "%s:%d" % (place, socket.bind_to_random_port(place))

        def serve(socket, answer):
            while True:
                socket.send_multipart(answer(socket.recv_multipart()))

        rep, echo, wrong = bound(zmq.REP, curve=True), bound(zmq.ROUTER, "tcp://[::1]"), bound(zmq.ROUTER)
        xsub, xpub = bound(zmq.XSUB), bound(zmq.XPUB)
        for socket, answer in [
            (rep[0], lambda frames: [b"yes"]), (echo[0], lambda frames: frames),
            (wrong[0], lambda frames: [frames[0], b"yes"]),
        ]:
            threading.Thread(target=serve, args=(socket, answer), daemon=True).start()
        print(" ".join(end[1] for end in [rep, echo, wrong, xsub, xpub]), flush=True)
        zmq.proxy(xsub[0], xpub[0])
        """

    @Test(
        "CURVE, a ROUTER over IPv6, a wrong envelope, and a proxy with topics",
        .enabled(if: hasPyzmq, "pyzmq is not installed"))
    func peers() async throws {
        try await withBench { bench in
            let script = try bench.write(Self.peers, to: "peers.py")
            let program = try bench.start(Self.python, [script])
            let ends = try await program.out.next { $0.contains("tcp://") }.split(separator: " ").map(String.init)
            try #require(ends.count == 5)
            func run(_ words: String...) async throws -> ProcessResult {
                try await bench.bus(words + ["--warmup", "0s", "-o", "json"], at: words[1])
            }

            let curve = try await run("req", ends[0], "--curve-server-key", "server.pub", "--count", "50").report()
            #expect(curve.runs[0].figures.done == 50 && curve.runs[0].figures.failures == 0)
            #expect(curve.parameters?["security"] == "curve")
            let clear = try await run("req", ends[0], "--count", "2")
            #expect(clear.status == 3 && clear.err.contains { $0.contains("--curve-server-key") }, "\(clear)")

            for words in [["dealer", ends[1], "--frames", "3"], ["req", ends[1], "--echo"]] {
                let echo = try await bench.bus(
                    words + ["--count", "50", "--warmup", "0s", "-o", "json"], at: words[1]
                ).report().runs[0]
                #expect(echo.figures.done == 50 && echo.figures.failures == 0, "\(words)")
            }

            var wrong = try await run("req", ends[2], "--count", "2", "--timeout", "2s")
            // On a busy machine the first answers may come later.
            for time in ["4s", "8s", "16s"] where !wrong.err.contains(where: { $0.contains("--echo") }) {
                wrong = try await run("req", ends[2], "--count", "2", "--timeout", time)
            }
            #expect(wrong.status == 1 && wrong.err.contains { $0.contains("--echo") }, "\(wrong)")

            let pub = try await run(
                "pub", ends[3], "--receive", ends[4], "--clients", "2", "--topics", "10", "--subscribe", "3", "--rate",
                "500", "--duration", "1s", "--sizes", "uniform:24..500", "--join-at", "200ms"
            ).report().runs[0].figures
            let receivers = try #require(pub.receivers)
            #expect(pub.lost == 0 && receivers.count == 2 && receivers[1].missed > 0 && receivers[0].missed == 0)
            #expect(pub.done > 100 && pub.done == pub.sent)
        }
    }
}
