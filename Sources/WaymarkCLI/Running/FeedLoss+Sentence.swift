// SPDX-License-Identifier: Apache-2.0

import ChangeFeed

extension FeedLoss {
    /// A sentence for the person that says why changes were lost, and what to do about it.
    var sentence: String {
        switch cause {
        case .silent:
            "The feed at \(endpoint) is silent, so the change log is read until the feed is heard again."
        case .unreachable where endpoint.hasPrefix("ipc:"):
            "The feed at \(endpoint) is on the service's own machine, so the change log is read instead. \(remedy)"
        case .unreachable:
            "The feed at \(endpoint) cannot be reached, so the change log is read instead. Open that port, or "
                + "set `advertise` at the service, or give --feed here."
        case .mute:
            "The server at \(endpoint) sends no changes, so the change log is read instead. \(remedy)"
        case .keyRefused:
            "The feed at \(endpoint) does not accept this key, so the change log is read instead. Sign in again with "
                + "\"waymark login NAME\"."
        case .otherKey:
            "The feed at \(endpoint) does not have the key that the service names for it, so the change log is read "
                + "instead. \(remedy)"
        case .keyNeeded:
            "The feed at \(endpoint) asks for a key, but the service names none for it, so the change log is read "
                + "instead. \(remedy)"
        }
    }

    private var remedy: String { "Set `advertise` at the service, or give --feed here." }
}
