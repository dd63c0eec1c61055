// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Landmarks
import WaymarkProtocol

extension StorageReader {
    /// Returns fences that the asker may see in the order of their names. A page ends at `limit`, or at the size of a page of changes.
    package func fences(
        _ request: WireListFences, by asker: Asker, limit: Int
    ) async throws(EngineError) -> WireFences {
        try await read { tables in
            guard request.name.isEmpty else {
                // PostgreSQL takes no NUL character, and no name has one.
                guard !request.name.utf8.contains(0), let fence = try tables.fences.find(fence: request.name.normal),
                    try tables.sees(fence, asker)
                else { return WireFences() }
                return .with { $0.fences = [fence] }
            }
            var page = RowPage<WireFence>(limit: limit)
            let after = String(request.after.prefix { $0 != "\0" })
            let owner = try tables.may(.fence, asker) ? nil : asker
            for fence in try tables.fences.fences(after: after, limit: limit + 1, seenBy: owner) {
                guard page.take(fence, bytes: 256 + fence.filter.count) else { break }
            }
            return .with { ($0.fences, $0.more) = (page.rows, page.hasMore) }
        }
    }

    /// Returns the hooks that an account may see, without their secrets, in the order of their numbers.
    ///
    /// - Parameter account: the number of the account that asks; 0 if it is not an account, and sees all.
    package func hooks(
        _ request: WireListHooks, by account: UInt64, limit: Int
    ) async throws(EngineError) -> WireHooks {
        try await read { tables in
            let (epoch, head) = (try tables.epoch().wire, try tables.head().rev)
            var page = RowPage<WireHook>(limit: limit)
            try tables.hooks.hooks(after: request.after, of: tables.owner(seenBy: account)) { hook in
                guard request.name.isEmpty || hook.isCalled(request.name) else { return true }
                return page.take(hook.shown(in: epoch), bytes: hook.bytes)
            }
            return .with { ($0.hooks, $0.more, $0.head) = (page.rows, page.hasMore, head) }
        }
    }

    /// Returns the kept messages of a hook in the order of their numbers; nil if the account has no such hook.
    package func hookFailures(
        _ request: WireListHookFailures, by account: UInt64, limit: Int
    ) async throws(EngineError) -> WireHookFailures? {
        try await read { tables in
            var found: [WireHook] = []
            try tables.hooks.hooks(after: 0, of: tables.owner(seenBy: account)) { hook in
                if hook.isCalled(request.name) { found.append(hook) }
                return true
            }
            guard let hook = WireHook.chosen(found, by: account) else { return nil }
            var page = RowPage<WireHookFailure>(limit: limit)
            try tables.hooks.failures(of: hook.id, after: request.after) { failure in
                page.take(failure, bytes: 1_024 + failure.body.count)
            }
            return WireHookFailures.with { ($0.failures, $0.more) = (page.rows, page.hasMore) }
        }
    }
}

extension ReadTables {
    /// Returns the account whose hooks another one sees; nil if it sees all.
    fileprivate func owner(seenBy account: UInt64) throws -> UInt64? {
        try may(.hook, Asker(account: account, user: "")) ? nil : account
    }
}
