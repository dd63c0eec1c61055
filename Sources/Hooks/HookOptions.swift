// SPDX-License-Identifier: Apache-2.0

internal import IPAddresses
package import Ingest
package import Settings

/// The settings of a service that delivers hooks.
package struct HookOptions: Sendable {
    /// The limits of one request to a receiver.
    package var post = WebPost.Limits()
    /// The pause after the first try that failed, and the longest one.
    package var (retryFirst, retryMost) = (Duration.seconds(1), Duration.seconds(3_600))
    /// The time after which a message that fails is put aside.
    package var giveUp = Duration.seconds(86_400)
    /// The time between two turns with storage, and the same if there are no hooks.
    package var (turn, idleTurn) = (Duration.seconds(1), Duration.seconds(5))

    package init() {}

    /// Reads the options from the settings; nil if hooks are switched off.
    ///
    /// - Throws: `Unusable` if a setting cannot be used.
    package init?(_ settings: Settings) throws(Unusable) {
        guard settings.bool("hooks.enabled") else { return nil }
        for word in (settings.optionalString("hooks.allow") ?? "").split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let block = AddressBlock(word) else {
                throw Unusable(
                    "\(settings.origin(of: "hooks.allow")): \"\(word)\" is no address: name addresses, or networks such "
                        + "as 10.0.0.0/8.")
            }
            post.allowed.append(block)
        }
        post.proxy = settings.optionalString("hooks.proxy")
        post.timeout = settings.duration("hooks.timeout")
        (retryMost, giveUp) = (settings.duration("hooks.retry-most"), settings.duration("hooks.give-up"))
    }
}
