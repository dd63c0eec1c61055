// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import Landmarks
import TestTurns
import Testing
import WaymarkClient

/// Storage and a query service as processes in their own folder, with the histories of their clients and the verdict.
final class Stage {
    static let lossy = "\(Products.folder)/libWaymarkLossyVFS.so"
    static let hasLossy = FileManager.default.fileExists(atPath: lossy)
    static let isRoot = geteuid() == 0

    let folder: Folder
    let cluster: Cluster
    let ledger = Ledger()
    var followers: [String: Follower] = [:]

    init() throws {
        folder = try Folder()
        cluster = try Cluster(directory: folder.path, products: Products.folder)
    }

    func start() throws {
        try cluster.startStorage()
        try cluster.startQuery(0)
    }

    func client(user: String = "tester", timeout: Duration = .seconds(15)) async throws -> WaymarkClient {
        let client = try await WaymarkClient(.init(endpoint: cluster.endpoint(0), user: user, timeout: timeout))
        try await until("the services answer") { (try? await client.hello()) != nil }
        return client
    }

    /// Waits until all followers have reached the head, ends everything, and validates it against the database.
    ///
    /// - Parameter expected: violations that contain these words are ignored: writes beside the ledger.
    func judge(ignoring expected: String? = nil) async throws -> Validator {
        let head = try cluster.head()
        for (name, follower) in followers {
            try await until("\(name) comes to \(head)") { follower.marked >= head || follower.isOver }
            await follower.end()
        }
        cluster.storage?.send(SIGTERM)
        #expect(cluster.storage?.wait() == 0)
        let history = History(writes: ["w": ledger.records], feeds: followers.mapValues(\.records))
        let validator = Validator.check(history, truth: try Truth(database: cluster.database))
        let found = validator.violations.map(\.description).filter { text in expected.map { !text.contains($0) } ?? true
        }
        #expect(found == [])
        return validator
    }

    /// The log of a program.
    func log(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder.path)/\(name).log", encoding: .utf8)) ?? ""
    }

    func close() { cluster.close() }
}

/// Runs `body` on a stage, and in any case ends what was started.
func withStage(_ body: (Stage) async throws -> Void) async throws {
    let stage = try Stage()
    defer { stage.close() }
    do {
        try await body(stage)
    } catch {
        for name in ["storage", "query0"] { print("--- \(name):\n\(stage.log(name).suffix(2_000))") }
        throw error
    }
}
