// SPDX-License-Identifier: Apache-2.0

import Landmarks
import WaymarkProtocol

/// Hooks with the messages that were given up or are to be sent again. Changing them makes no revision.
protocol HookTable {
    /// Returns the epoch and the run of which new positions of hooks are.
    func present() throws -> Position
    /// Returns the oldest revision that the log keeps.
    func floor() throws -> UInt64

    func allHooks() throws -> [WireHook]
    /// - Returns: the hook's number, which is never used again.
    func insert(_ hook: WireHook) throws -> UInt64
    func update(_ hooks: [WireHook]) throws
    /// Deletes a hook with its messages.
    func delete(hook id: UInt64) throws

    func insert(_ failure: WireHookFailure) throws
    func failure(_ number: UInt64) throws -> WireHookFailure?
    /// Returns the newest message of a hook that ends with this revision.
    func failure(of hook: UInt64, rev: UInt64) throws -> WireHookFailure?
    func update(_ failure: WireHookFailure) throws
    func delete(failure number: UInt64) throws
    /// Returns the numbers of hooks that have messages to be sent.
    func dueHooks() throws -> [UInt64]
    /// Returns a hook's messages that are to be sent, oldest first.
    func due(of hook: UInt64, limit: Int) throws -> [WireHookFailure]
}
