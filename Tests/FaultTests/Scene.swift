// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc
import TestPostgreSQL
import TestTurns
import Testing
import WaymarkClient

/// A cluster in its own folder, for one test.
struct Scene {
    static let lossy = "\(Products.folder)/libWaymarkLossyVFS.so"
    static let hasLossy = FileManager.default.fileExists(atPath: lossy)

    let cluster: Cluster

    /// - Parameter mutation: the defect of all programs, which are then those of ``FaultRuns/mutants``.
    init(queries: Int = 1, mutation: Mutation? = nil) throws {
        var template = Array("/tmp/wf-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FaultError("no folder") }
        let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        let products = mutation == nil ? Products.folder : FaultRuns.mutants
        guard let products else { throw FaultError("no mutated programs") }
        cluster = try Cluster(directory: path, products: products, queries: queries)
        cluster.environment["WAYMARK_MUTATION"] = mutation?.name
        if mutation == nil, TestedEngine.current == .postgreSQL { cluster.engine = try TestedEngine.newURL() }
    }

    /// Starts storage with this VFS and these failpoints.
    func startStorage(_ vfs: String? = nil, failpoints: String? = nil) throws {
        cluster.storageEnvironment = [:]
        if let vfs { cluster.storageEnvironment.merge(["LD_PRELOAD": Self.lossy, "WAYMARK_VFS": vfs]) { $1 } }
        cluster.storageEnvironment["WAYMARK_FAILPOINTS"] = failpoints
        try cluster.startStorage()
    }

    func startAll(_ vfs: String? = nil, failpoints: String? = nil) throws {
        try startStorage(vfs, failpoints: failpoints)
        for query in cluster.queries.indices { try cluster.startQuery(query) }
    }

    func client(query: Int = 0, user: String = "tester", timeout: Duration = .seconds(10)) async throws -> WaymarkClient
    {
        let client = try await WaymarkClient(
            .init(endpoint: cluster.endpoint(query), user: user, timeout: timeout))
        try await until("the services answer") { (try? await client.hello()) != nil }
        return client
    }

    /// Waits until this many more changes are durable.
    func grows(by count: UInt64, within time: Duration = .seconds(120)) async throws {
        cluster.awaitStorage()
        let head = try cluster.head() + count
        try await until("\(count) more changes are durable", within: time) { try cluster.head() >= head }
    }

    /// Ends the cluster and validates it.
    func verdict(before: Truth? = nil, kill: Bool = true) throws -> Validator {
        let problems = try cluster.finish(kill: kill).problems
        #expect(problems.isEmpty)
        return try cluster.validate(before: before)
    }
}

/// Runs `body` with a scene. Deletes its folder afterwards, unless the test failed.
func withScene(
    queries: Int = 1, mutation: Mutation? = nil, _ body: (Scene) async throws -> Void
) async throws {
    let scene = try Scene(queries: queries, mutation: mutation)
    defer { scene.cluster.close() }
    do {
        try await body(scene)
    } catch {
        for log in ["storage", "query0", "clients"] {
            let text = (try? String(contentsOfFile: "\(scene.cluster.directory)/\(log).log", encoding: .utf8)) ?? ""
            print("--- \(log):\n\(text.suffix(2_000))")
        }
        print("kept: \(scene.cluster.directory)")
        throw error
    }
    scene.cluster.close()
    if ProcessInfo.processInfo.environment["WAYMARK_FAULTS_KEEP"] != nil {
        print("kept: \(scene.cluster.directory)")
    } else {
        try? FileManager.default.removeItem(atPath: scene.cluster.directory)
    }
}
