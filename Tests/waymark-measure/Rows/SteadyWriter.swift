// SPDX-License-Identifier: Apache-2.0

import Landmarks
import LoadTest
import WaymarkClient
import ZeroMQ

/// Adds landmarks through the query service at a fixed rate, independent of the answers. It sleeps where the load
/// tester's generator spins, which on two cores would leave no processor time for the services.
struct SteadyWriter {
    /// At this number of unanswered requests it waits for answers.
    private static let mostUnderWay = 512
    private let client: WaymarkClient
    private let writing: Task<Double, any Error>

    init(_ stage: Stage, rate: Double) async throws {
        let client = try await stage.client()
        self.client = client
        writing = Task {
            let begun = ContinuousClock.now
            var seconds: Double { (ContinuousClock.now - begun) / .seconds(1) }
            let places = World.questions(1_024, seed: 7)
            var (sent, done) = (0, 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                while !Task.isCancelled {
                    while Double(sent) < seconds * rate {
                        while sent - done >= Self.mostUnderWay, try await group.next() != nil { done += 1 }
                        let draft = try LandmarkDraft(name: "Steady \(sent)", coordinate: places[sent % places.count])
                        // Detached from the cancellation that ends the writing: requests that were begun are
                        // completed.
                        group.addTask { try await Task { _ = try await client.add(draft) }.value }
                        sent += 1
                    }
                    try? await Task.sleep(for: .milliseconds(1))
                }
                while try await group.next() != nil { done += 1 }
            }
            return Double(sent) / seconds
        }
    }

    /// - Returns: acknowledged writes a second.
    func end() async throws -> Double {
        writing.cancel()
        do {
            let rate = try await writing.value
            await client.close()
            return rate
        } catch {
            await client.close()
            throw error
        }
    }
}
