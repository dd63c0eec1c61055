// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

extension Cluster {
    public func startWriter(
        _ number: Int, rate: Double, seed: UInt64 = 1, incarnation: Int = 0, query: Int = 0, inflight: Int = 512
    ) throws {
        try startClient(
            "writer\(number)",
            [
                "writer", "--name", "writer\(number)", "--directory", directory, "--connect", endpoint(query), "--rate",
                "\(rate)", "--seed", "\(seed)", "--incarnation", "\(incarnation)", "--inflight", "\(inflight)",
            ])
    }

    /// - Parameters:
    ///   - first: the number of its first feed, which decides the filter.
    ///   - patience: after about this many items a feed is closed and resumed at the same position.
    ///   - snapshots: whether every feed begins with a snapshot; otherwise chance decides.
    public func startSubscriber(
        _ number: Int, first: Int, feeds: Int, query: Int = 0, patience: Int = 20_000, quiet: Int = 20,
        snapshots: Bool = false
    ) throws {
        try startClient(
            "subscriber\(number)",
            [
                "subscriber", "--name", "subscriber\(number)", "--directory", directory, "--connect", endpoint(query),
                "--first", "\(first)", "--feeds", "\(feeds)", "--patience", "\(patience)", "--quiet", "\(quiet)",
            ] + (snapshots ? ["--snapshots"] : []))
    }

    /// Lets all programs run without faults until every subscriber has every change, then ends them.
    ///
    /// - Parameter kill: ends storage once more with `kill -9` after all writers have ended; every write acknowledged
    ///   until then must be durable.
    /// - Returns: the newest revision, and a sentence for each program that ended wrongly.
    public func finish(kill: Bool = true) throws -> (head: UInt64, problems: [String]) {
        var problems: [String] = []
        storageEnvironment = [:]
        try heal()
        let writers = clients.filter { $0.key.hasPrefix("writer") }.map(\.value)
        for writer in writers { writer.send(SIGTERM) }
        for writer in writers where writer.wait(.seconds(25)) == nil { writer.slay() }
        if kill { storage?.slay() }
        try heal()
        awaitStorage()
        let head = try head()
        try Data("\(head)\n".utf8).write(to: URL(fileURLWithPath: "\(directory)/head"))
        let subscribers = clients.filter { $0.key.hasPrefix("subscriber") }
        for subscriber in subscribers.values { subscriber.send(SIGTERM) }
        for (name, subscriber) in subscribers {
            // No time limit for a backlog: a subscriber that receives nothing for some seconds gives up by itself.
            let status = subscriber.wait(.seconds(900))
            if status == nil { subscriber.slay() }
            // Status 3 means that the subscriber has not reached the head. The validator reports that in more detail.
            if let status, ![0, 3, 128 + SIGKILL].contains(status) { problems.append("\(name) ended with \(status)") }
        }
        storage?.send(SIGTERM)
        if let status = storage?.wait(.seconds(60)), status != 0 {
            problems.append("SIGTERM at the end: storage ended with \(status)")
        }
        return (head, problems)
    }

    /// Validates the histories of a cluster that has ended.
    public func validate(before: Truth? = nil, former: [Truth] = []) throws -> Validator {
        Validator.check(
            try History(directory: directory), truth: try truth(before: before), former: former)
    }

    /// The contents of the database.
    ///
    /// - Parameter before: as ``Truth/init(database:before:)`` takes it.
    public func truth(before: Truth? = nil) throws -> Truth {
        if let engine {
            try PostgreSQLTruth.read(engine, before: before)
        } else {
            try Truth(database: database, before: before)
        }
    }
}
