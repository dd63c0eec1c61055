// SPDX-License-Identifier: Apache-2.0

import WaymarkClient

extension WaymarkClient {
    /// Searches landmarks, including what earlier commands wrote. The search index lags slightly behind writes, but
    /// catches up at once if a search asks for the position that the service has reached. If the index cannot catch up
    /// within some seconds, because it is being rebuilt, an older answer is better than none.
    ///
    /// - Parameter timeout: the time limit of one request.
    /// - Returns: the page, and whether the index is behind, so that the newest writes may be missing from the page.
    func freshSearch(
        _ text: String, near: Coordinate?, limit: Int, filter: LandmarkFilter = LandmarkFilter(), timeout: Duration
    ) async throws(ClientError) -> (page: HitPage, isBehind: Bool) {
        let newest = try await hello().position
        do throws(ClientError) {
            let page = try await search(
                text, near: near, limit: limit, filter: filter, atLeast: newest, timeout: min(.seconds(4), timeout))
            return (page, false)
        } catch {
            guard error.isTimeout || error.refusal?.code == .notYet else { throw error }
        }
        return (try await search(text, near: near, limit: limit, filter: filter), true)
    }
}

extension Output {
    /// Prints a notice that the result of a search may lack the newest writes.
    func tellSearchIsBehind() {
        notice("search_behind", "The text search is behind the writes: the latest ones may be missing.")
    }
}
