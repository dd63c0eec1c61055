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
            var page = WireFences()
            guard request.name.isEmpty else {
                // PostgreSQL takes no NUL character, and no name has one.
                guard !request.name.utf8.contains(0) else { return page }
                if let fence = try tables.fences.find(fence: request.name.normal), try tables.sees(fence, asker) {
                    page.fences = [fence]
                }
                return page
            }
            var bytes = 0
            let after = String(request.after.prefix { $0 != "\0" })
            let owner = try tables.may(.fence, asker) ? nil : asker
            for fence in try tables.fences.fences(after: after, limit: limit + 1, seenBy: owner) {
                bytes += 256 + fence.filter.count
                guard page.fences.count < limit, bytes <= WaymarkProtocol.pageBytes || page.fences.isEmpty else {
                    page.more = true
                    break
                }
                page.fences.append(fence)
            }
            return page
        }
    }

    /// Returns the hooks that an account may see, without their secrets, in the order of their numbers.
    ///
    /// - Parameter account: the number of the account that asks; 0 if it is not an account, and sees all.
    package func hooks(
        _ request: WireListHooks, by account: UInt64, limit: Int
    ) async throws(EngineError) -> WireHooks {
        try await read { tables in
            let epoch = try tables.epoch().wire
            var page = WireHooks()
            page.head = try tables.head().rev
            // No number is so great. As a signed integer it would come before all others.
            guard request.after <= UInt64(Int64.max) else { return page }
            var bytes = 0
            try tables.hooks.hooks(after: request.after, of: tables.owner(seenBy: account)) { hook in
                guard request.name.isEmpty || hook.isCalled(request.name) else { return true }
                bytes += hook.bytes
                guard page.hooks.count < limit, bytes <= WaymarkProtocol.pageBytes || page.hooks.isEmpty else {
                    page.more = true
                    return false
                }
                page.hooks.append(hook.shown(in: epoch))
                return true
            }
            return page
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
            var (page, bytes) = (WireHookFailures(), 0)
            guard request.after <= UInt64(Int64.max) else { return page }
            try tables.hooks.failures(of: hook.id, after: request.after) { failure in
                bytes += 1_024 + failure.body.count
                guard page.failures.count < limit, bytes <= WaymarkProtocol.pageBytes || page.failures.isEmpty else {
                    page.more = true
                    return false
                }
                page.failures.append(failure)
                return true
            }
            return page
        }
    }
}

extension ReadTables {
    /// Returns the account whose hooks another one sees; nil if it sees all.
    fileprivate func owner(seenBy account: UInt64) throws -> UInt64? {
        guard account > 0 else { return nil }
        guard let asker = try accounts.find(account)?.account else { return account }
        return Caller.account(asker).usesOthersHooks ? nil : account
    }
}
