// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

extension Session {
    /// How many candidates an error lists.
    private static let fewCandidates = 5

    /// The id that the reference stands for: exactly one, otherwise an error. The service lists landmarks by id from
    /// the given beginning on, so the cost does not grow with the number of landmarks.
    func id(_ reference: LandmarkReference) async throws -> Landmark.ID {
        let beginning: UUIDv7Beginning
        switch reference {
        case .whole(let id): return id
        case .beginning(let given): beginning = given
        }
        let found = try await client.landmarks(beginning, atMost: Self.fewCandidates + 1)
        guard let first = found.first else {
            throw Failure(
                .failed, ErrorCode.notFound.name,
                "No landmark's id begins with that: copy one that list or near shows.")
        }
        if found.count == 1 { return first.id }
        let candidates = found.prefix(Self.fewCandidates).map { "\($0.id)  \(Escaping.visible($0.name))" }
        let more = found.count > Self.fewCandidates ? ["…"] : []
        throw Failure(
            .failed, "ambiguous",
            (["Several ids begin with that: add more characters."] + candidates + more)
                .joined(separator: "\n  "))
    }

}

extension WaymarkClient {
    /// Landmarks whose ids have this beginning, ordered by id.
    func landmarks(_ beginning: UUIDv7Beginning, atMost most: Int) async throws(ClientError) -> [Landmark] {
        var found: [Landmark] = []
        // Storage goes on after the upper half of an id, which no two landmarks share: the whole half before it.
        let high = beginning.least.high
        var after = high > 0 ? Data(UUIDv7(high: high - 1, low: .max).bytes) : Data()
        while found.count < most {
            let request = WireRequest.with {
                $0.snapshot = .with {
                    $0.after = after
                    $0.limit = UInt32(most)
                }
            }
            guard case .snapshot(let page)? = try await send(request).1.result else {
                throw .unreadableAnswer("snapshot")
            }
            for wire in page.landmarks {
                guard let landmark = try? Landmark(wire) else { throw .unreadableAnswer("a landmark") }
                if landmark.id < beginning.least { continue }
                guard beginning.contains(landmark.id), found.count < most else { return found }
                found.append(landmark)
            }
            // A page of large landmarks may hold fewer than the limit.
            guard !page.next.isEmpty, page.next != after else { return found }
            after = page.next
        }
        return found
    }
}
