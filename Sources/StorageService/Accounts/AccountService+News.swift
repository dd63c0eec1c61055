// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServiceHost
import WaymarkProtocol
import WaymarkTransport

/// The table of accounts, for query services.
extension AccountService {
    /// A page of what is newer than the asker has; waits until there is something.
    nonisolated(nonsending) func news(_ follow: WireFollowAccounts) async throws(EngineError) -> WireReply {
        if !desk.needsAll(follow, run: run), follow.since == desk.book.revision, follow.waitMs > 0 {
            await waitForNews(follow.waitMs)
        }
        while true {
            let isWhole = desk.needsAll(follow, run: run)
            let news = try await reader.accountNews(
                since: isWhole ? 0 : follow.since, limit: AccountNews.pageRows)
            // A commit that this has seen may have forgotten a key of which the asker knows.
            await commits.settled()
            guard isWhole || !desk.needsAll(follow, run: run) else { continue }
            return .with { $0.accountPage = news.page(epoch: run.bytes, isWhole: isWhole) }
        }
    }

    private nonisolated(nonsending) func waitForNews(_ milliseconds: UInt32) async {
        let ticket = desk.ticket()
        let timer = home.loop.schedule(after: .milliseconds(Int64(min(milliseconds, 30_000)))) { [weak self] in
            self?.desk.waiting.removeValue(forKey: ticket)?.resume()
        }
        await withCheckedContinuation { desk.waiting[ticket] = $0 }
        timer.cancel()
    }
}
