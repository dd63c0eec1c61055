// SPDX-License-Identifier: Apache-2.0

import ServiceHost
import WaymarkTransport

/// The components of a running storage. Starting storage makes them, stopping storage releases them.
struct RunningStorage {
    let server: RequestServer
    let replies: Replies
    let commits: CommitLoop
    let gate: StorageGate
    let handlers: ReadHandlers
    let accounts: AccountService
    let upkeep: LogUpkeep
    let backups: Backups

    nonisolated(nonsending) func close() async {
        replies.close()
        commits.publisher.close()
        handlers.removeAll()
        backups.close()
        await commits.executor.close()
        await accounts.close()
        await gate.close()
    }
}
