// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestProcess
import TestTurns
import Testing
import ZeroMQ

@Suite(
    "Workers on two machines", .enabled(if: Namespace.isPossible, Comment(rawValue: ProcessMachines.how)), .inTurn,
    .serialized)
struct ProcessMachinesWorkerTests {
    @Test("workers with keys share a load test; a stranger is not heard; one that is killed is told and counted")
    func killed() async throws {
        try await withMachines { machines in
            try await ProcessMachinesTests.SetUp.upWithout.start(machines)
            let bench = machines.bench
            let (worker, own, stranger) = (
                try CurveKeyPair.generate(), try CurveKeyPair.generate(), try CurveKeyPair.generate()
            )
            func keyFile(_ name: String, _ pair: CurveKeyPair) throws -> String {
                let text = "secret \(pair.secretKey.z85)\nserver \(worker.publicKey.z85)\n"
                let path = try bench.write(text, to: name)
                chmod(path, 0o600)
                return path
            }
            let admitted = try bench.write("# who may\npublic \(own.publicKey.z85)\n", to: "admitted")
            let (key, target) = (try keyFile("worker.key", worker), "tcp://\(machines.host):7420")
            let near = try machines.start(
                "waymark",
                [
                    "bench", "worker", "--listen", "tcp://0.0.0.0:7000", "--target", target, "--key", key, "--admit",
                    admitted,
                ])
            let far = try machines.waymark(
                "bench", "worker", "--listen", "tcp://0.0.0.0:7000", "--target", target, "--key", key, "--admit",
                admitted)
            for program in [near, far] {
                _ = try await program.out.next { $0 == "The public key is \(worker.publicKey.z85)" }
                _ = try await program.out.next { $0.hasPrefix("Listening on ") }
            }
            func start(_ key: String, _ words: String...) throws -> Child {
                try machines.start(
                    "waymark",
                    [
                        "bench", "near", "--connect", target, "--timeout", "60s", "--warmup", "0s", "--workers",
                        "tcp://\(machines.host):7000,tcp://\(machines.clients.address):7000", "--worker-key", key, "-o",
                        "json",
                    ] + words)
            }
            func result(_ program: Child) async throws -> ProcessResult {
                let status = try await program.ended()
                return ProcessResult(
                    status: status, out: try await program.out.complete(), err: try await program.err.complete())
            }
            let ownKey = try keyFile("own.key", own)
            let shared = try await result(start(ownKey, "--count", "400", "--clients", "2")).report().runs[0]
            #expect(shared.figures.done == 400 && shared.figures.failures == 0)
            _ = try await far.err.next { $0.contains("A run begins") }

            let refused = try await result(start(keyFile("stranger.key", stranger), "--rate", "10"))
            #expect(refused.status == 3 && refused.err.contains { $0.contains("does not answer") }, "\(refused.err)")

            let program = try start(ownKey, "--rate", "100", "--duration", "8s")
            _ = try await far.err.next { $0.contains("A run begins") }
            try await far.slain()
            let ended = try await result(program)
            let figures = try ended.report(status: 1).runs[0].figures
            #expect(figures.errors == ["worker_lost": 1] && (100...401).contains(figures.done), "\(figures)")
            let name = "The worker at tcp://\(machines.clients.address):7000 is lost"
            #expect(ended.err.contains { $0.contains(name) }, "\(ended.err)")
        }
    }
}
