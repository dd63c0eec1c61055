// SPDX-License-Identifier: Apache-2.0

import StorageRules
import WaymarkProtocol

/// The table of accounts, for query services.
extension AccountService {
    /// A page of the changes after the asker's revision; waits until there are some.
    nonisolated(nonsending) func news(_ follow: WireFollowAccounts) async throws(ServiceError) -> WireReply {
        if follow.waitMs > 0 {
            await state.news.wait(atMost: .milliseconds(min(follow.waitMs, 30_000))) {
                self.state.needsAll(follow, run: self.run) || follow.since != self.state.book.revision
            }
        }
        while true {
            let isWhole = state.needsAll(follow, run: run)
            let news = try await read { tables in
                try tables.accounts.news(since: isWhole ? 0 : follow.since, limit: AccountNews.pageRows)
            }
            // A commit that this read has seen may have deleted a key that the asker still holds.
            await commits.settled()
            guard isWhole || !state.needsAll(follow, run: run) else { continue }
            return .with { $0.accountPage = news.page(epoch: run.bytes, isWhole: isWhole) }
        }
    }
}
