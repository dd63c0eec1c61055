// SPDX-License-Identifier: Apache-2.0

package import Landmarks
package import WaymarkProtocol
package import WaymarkTransport

extension QueryServer: FeedReader {
    package func readLog(
        after position: Position, matching filter: FeedFilter, wait: UInt32
    ) async throws(ServiceError) -> PulledPage {
        guard let link = running?.link else { throw .storageAway }
        return try await link.readLog(after: position, matching: filter, wait: wait)
    }

    package func findPublisher() async throws(ServiceError) -> FeedAddress {
        guard let sync = running?.sync else { throw .storageAway }
        return try await sync.findPublisher()
    }
}
