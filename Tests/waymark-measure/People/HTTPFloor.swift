// SPDX-License-Identifier: Apache-2.0

import FaultKit
import LoadTest
import WaymarkLoad

/// The HTTP interface's listener, alone in a process: it answers from memory.
struct HTTPFloor {
    private let children: Children
    private let process: Program
    private let port: UInt16
    /// The bytes of an answer's head, if the length of its body has four digits.
    private let head: Int

    /// Returns when it answers.
    ///
    /// - Parameter program: the path of this program.
    init(_ children: Children, program: String) async throws {
        self.children = children
        port = try Ports.free()
        process = try children.start(program, ["listener", "\(port)"], log: "listener")
        do { head = try await Self.head(port, process, children.stop) } catch {
            children.end(process)
            throw error
        }
    }

    /// - Parameters:
    ///   - bytes: of an answer with its head.
    ///   - query: makes a request as long as that to the product.
    func figures(
        _ run: TableRun, _ shape: LoadShape, bytes: Int, query: @escaping @Sendable (UInt64) -> String
    ) async throws -> LoadFigures {
        let (origin, body) = (HTTPOrigin.here(port), max(0, bytes - head))
        let load = HTTPTest(origin, timeout: HTTPOrigin.patience) { $1 += origin.request("/\(body)?\(query($0))") }
        return try await run.measure(shape, of: [process.pid], load.run).figures
    }

    func end() { children.end(process) }

    private static func head(_ port: UInt16, _ process: Program, _ stop: LoadStop) async throws -> Int {
        let (origin, body) = (HTTPOrigin.here(port), 1_000)
        let load = HTTPTest(origin) { $1 += origin.request("/\(body)") }
        let once = LoadShape(loop: .closed(window: 1), end: .count(1), warmUp: 0)
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            do { return Int(try await load.run(once, LoadWatch()).figures.bytes) - body } catch {
                guard process.status == nil, ContinuousClock.now < deadline, !stop.isAsked else {
                    throw TableError.doesNotStart("the listener", log: "\(error)")
                }
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension HTTPOrigin {
    /// The time limit for an answer in nanoseconds: nothing here is ever in a hurry.
    static let patience: UInt64 = 30_000_000_000

    static func here(_ port: UInt16) -> HTTPOrigin { HTTPOrigin(host: "127.0.0.1", port: port) }
}
