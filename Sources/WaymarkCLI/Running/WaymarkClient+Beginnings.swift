// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkClient
import WaymarkProtocol

extension WaymarkClient {
    /// Returns the landmarks whose ids have this beginning, ordered by id.
    func landmarks(_ beginning: UUIDv7Beginning, atMost most: Int) async throws(ClientError) -> [Landmark] {
        var found: [Landmark] = []
        // Storage continues after the first half of an id (64 bits), which no two landmarks share. Pass the value
        // before the first matching one, so that the page begins with the first match.
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
            // A page of large landmarks may have fewer rows than the limit, so only an empty cursor shows the end.
            guard !page.next.isEmpty, page.next != after else { return found }
            after = page.next
        }
        return found
    }
}
