// SPDX-License-Identifier: Apache-2.0

import Landmarks
import TestServices
import TestTurns
import Testing
import WaymarkClient
import WaymarkProtocol
import ZeroMQ

@Suite("Many requests of one client", .inTurn)
struct ManyRequestsTests {
    @Test("two requests with one identity, under way at once, both end")
    func sameIdentity() async throws {
        let (context, folder) = (try Context(), try EndpointFolder())
        let (copies, ended) = (Locked(0), Locked<[UInt64]>([]))
        let id = UUIDv7(high: 1, low: 2)
        // The first copy has no answer, so that the first request is under way until it is sent again.
        let service = StubService { _ in
            let number = copies.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .swallow : .answer(.with { ($0.written.id, $0.written.rev) = (id.wire, 7) })
        }
        let endpoint = try await service.start(at: folder.endpoint, context)
        let client = try await WaymarkClient(.init(endpoint: endpoint, timeout: .seconds(60)), context: context)
        let repeating = client.acting(for: RequestAuthor(user: "ann", once: UUIDv7(high: 3, low: 4)))
        func remove() {
            Task {
                let rev = try? await repeating.remove(id).rev
                ended.withLock { $0.append(rev ?? 0) }
            }
        }
        remove()
        do {
            try await service.waitFor(.remove)
            for _ in 0..<3 { remove() }
            try await until("all four have ended") { ended.withLock { $0.count } == 4 }
            #expect(ended.withLock { $0 } == [7, 7, 7, 7])
        } catch {
            await client.close()
            await service.stop()
            throw error
        }
        await client.close()
        await service.stop()
        context.terminate()
    }
}
