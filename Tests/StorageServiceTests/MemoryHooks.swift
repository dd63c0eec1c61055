// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

@testable import StorageRules

extension MemoryTables: FenceTable {
    private func nextNumber(_ place: Int) -> UInt64 {
        rows.lastNumbers[place] += 1
        return rows.lastNumbers[place]
    }

    func find(fence name: String) -> WireFence? { rows.fences[name] }
    func fenceCounts(of account: UInt64) -> (own: Int, all: Int) {
        (rows.fences.values.count { $0.account == account }, rows.fences.count)
    }
    func privateFences() -> [WireFence] { rows.fences.values.filter(\.isPrivate) }
    func insert(_ fence: WireFence) {
        var fence = fence
        fence.id = nextNumber(0)
        rows.fences[fence.name] = fence
    }
    func delete(fence name: String) { rows.fences[name] = nil }
}

extension MemoryTables: HookTable {
    func present() -> Position { Position(epoch: UUIDv7(high: 1, low: 2), rev: rows.head.rev) }
    func floor() -> UInt64 { 1 }

    func allHooks() -> [WireHook] { rows.hooks.values.sorted { $0.id < $1.id } }
    func insert(_ hook: WireHook) -> UInt64 {
        var hook = hook
        hook.id = nextNumber(1)
        rows.hooks[hook.id] = hook
        return hook.id
    }
    func update(_ hooks: [WireHook]) { for hook in hooks { rows.hooks[hook.id] = hook } }
    func delete(hook id: UInt64) {
        rows.hooks[id] = nil
        rows.failures = rows.failures.filter { $0.value.hook != id }
    }

    func insert(_ failure: WireHookFailure) {
        var failure = failure
        failure.number = nextNumber(2)
        rows.failures[failure.number] = failure
    }
    func failure(_ number: UInt64) -> WireHookFailure? { rows.failures[number] }
    func failure(of hook: UInt64, rev: UInt64) -> WireHookFailure? {
        rows.failures.values.filter { $0.hook == hook && $0.rev == rev }.max { $0.number < $1.number }
    }
    func update(_ failure: WireHookFailure) { rows.failures[failure.number] = failure }
    func delete(failure number: UInt64) { rows.failures[number] = nil }
    func dueHooks() -> [UInt64] { Set(rows.failures.values.filter(\.due).map(\.hook)).sorted() }
    func due(of hook: UInt64, limit: Int) -> [WireHookFailure] {
        Array(
            rows.failures.values.filter { $0.due && $0.hook == hook }.sorted { $0.number < $1.number }.prefix(limit))
    }
}
