// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Landmarks
import TestBrowser
import WaymarkClient
import ZeroMQ

/// Changes landmarks at speed: each of sixteen tasks its own ones.
struct Writers: Sendable {
    let clients: [WaymarkClient]
    /// For each task.
    let landmarks: [[Landmark.ID]]
    private let last: Landmark.ID

    fileprivate init(_ clients: [WaymarkClient], landmarks count: Int) async throws {
        self.clients = clients
        var made = Array(repeating: [Landmark.ID](), count: clients.count)
        for number in 0..<count {
            let place = try Coordinate(latitude: -33.8 - Double(number) / 1_000, longitude: 151.2)
            let draft = try LandmarkDraft(name: "start \(number)", coordinate: place)
            made[number % clients.count].append(try await clients[0].add(draft).id)
        }
        landmarks = made
        last = made[0][0]
    }

    /// Changes names and places.
    ///
    /// - Parameter each: the time between two changes of a task; nil: as fast as they are answered.
    /// - Returns: the name that the last change gave.
    func change(_ count: Int, each pause: Duration? = nil) async throws -> String {
        // In the names, so that each edit changes something: an edit that changes nothing makes no revision.
        let round = try await clients[0].status().storage?.head ?? 0
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for (task, client) in clients.enumerated() {
                let own = landmarks[task]
                group.addTask {
                    for number in 0..<(count / clients.count) {
                        if let pause { try await Task.sleep(until: start + pause * number) }
                        let place = try Coordinate(
                            latitude: -33.8 - Double(number % 97) / 1_000, longitude: 151.2 + Double(task) / 1_000)
                        _ = try await client.edit(
                            own[number % own.count],
                            try LandmarkEdit(name: "change \(round) \(task) \(number)", coordinate: place))
                    }
                }
            }
            try await group.waitForAll()
        }
        // The revision makes the name unlike any before.
        let rev = try await clients[0].edit(last, try LandmarkEdit(name: "before the last")).rev
        let name = "last at \(rev)"
        _ = try await clients[0].edit(last, try LandmarkEdit(name: name))
        return name
    }
}

/// Runs `body` with sixteen clients and this many landmarks.
func withWriters(_ stage: MapStage, landmarks: Int, _ body: (Writers) async throws -> Void) async throws {
    let context = try Context()
    var clients: [WaymarkClient] = []
    for number in 0..<16 {
        clients.append(
            try await WaymarkClient(
                ClientOptions(endpoint: stage.endpoint, user: "writer \(number)", timeout: .seconds(60)),
                context: context))
    }
    var failure: (any Error)?
    do { try await body(try await Writers(clients, landmarks: landmarks)) } catch { failure = error }
    for client in clients { await client.close() }
    context.terminate()
    if let failure { throw failure }
}
