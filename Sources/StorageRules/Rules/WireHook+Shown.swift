// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import WaymarkProtocol

extension WireHook {
    /// A hook as people may see it.
    ///
    /// - Parameter secret: whether to tell the present secret.
    func shown(in epoch: Data, secret isTold: Bool = false) -> WireHook {
        var hook = self
        if state == .active, position.epoch != epoch {
            (hook.state, hook.reason) = (.paused, "The database was restored or copied: resume the hook.")
        }
        if !isTold { hook.secret = Data() }
        hook.formerSecret = Data()
        return hook
    }

    /// An upper bound of the encoded size, near enough for a page.
    var bytes: Int { 1_024 + url.utf8.count + filter.count + user.utf8.count + name.utf8.count + fence.utf8.count }

    /// Whether a name or a number such as "#12" means this hook.
    func isCalled(_ name: String) -> Bool { name.hasPrefix("#") ? "#\(id)" == name : self.name == name }

    /// Returns the hook that is meant by a name: the caller's own, or the only one; nil if there is none of these.
    static func chosen(_ found: [WireHook], by account: UInt64) -> WireHook? {
        found.first { $0.account == account } ?? (found.count == 1 ? found[0] : nil)
    }
}
