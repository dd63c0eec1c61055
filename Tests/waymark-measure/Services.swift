// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import WaymarkClient

/// Storage as a child process, in a temporary folder.
struct Services {
    let directory: String
    let storage: Program
    let commands: String
    let changesPort: UInt16

    /// - Parameters:
    ///   - children: also ends storage; nil: only ``end()`` does.
    ///   - advertise: a port to tell clients instead of the real one.
    ///   - engine: a URL of PostgreSQL; nil: SQLite.
    init(_ children: Children? = nil, advertise: UInt16? = nil, engine: String? = nil) throws {
        directory = NSTemporaryDirectory() + "waymark-measure-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let products = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let port = try Ports.free()
        commands = "tcp://127.0.0.1:\(port)"
        changesPort = try Ports.free()
        var flags = [
            "--data", "\(directory)/data", "--listen", commands, "--changes", "tcp://127.0.0.1:\(changesPort)",
        ]
        if let advertise { flags += ["--advertise", "tcp://127.0.0.1:\(advertise)"] }
        if let engine { flags += ["--engine", engine] }
        storage = try Program(
            "\(products)/waymark-storage", flags, directory: directory, log: "\(directory)/storage.log")
        children?.adopt(storage, directory)
    }

    /// A client that is connected directly to storage.
    func client() async throws -> WaymarkClient {
        let client = try await WaymarkClient(.init(endpoint: commands, user: "measure", timeout: .seconds(20)))
        for _ in 0..<200 {
            if (try? await client.hello()) != nil { return client }
        }
        throw ServicesError(description: "storage does not start: see \(directory)/storage.log")
    }

    func end() {
        storage.send(SIGTERM)
        storage.wait()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

struct ServicesError: Error, CustomStringConvertible { var description: String }

/// Durations in microseconds.
struct Sample {
    private(set) var values: [Double] = []

    mutating func add(_ duration: Duration) { values.append(duration / .microseconds(1)) }

    mutating func add(_ other: Sample) { values += other.values }

    func percentile(_ share: Double) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    var text: String {
        String(
            format: "p50 %7.0f  p90 %7.0f  p99 %7.0f us  (%d)", percentile(0.5), percentile(0.9), percentile(0.99),
            values.count)
    }
}
