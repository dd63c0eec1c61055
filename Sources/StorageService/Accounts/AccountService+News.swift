// SPDX-License-Identifier: Apache-2.0

import StorageRules
import WaymarkProtocol

/// Requests of query services for changed accounts and keys.
extension AccountService {
    /// Waits until accounts or keys have changed after the revision of the asking service, and returns a page of the
    /// changes.
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
            // This read may have seen a commit that deleted a key which the asking service still holds. Wait until the
            // book knows of this commit.
            await commits.settled()
            guard isWhole || !state.needsAll(follow, run: run) else { continue }
            return .with { $0.accountPage = news.page(epoch: run.bytes, isWhole: isWhole) }
        }
    }
}
