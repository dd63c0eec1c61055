// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Gazetteer {
    private static let configured = Mutex<[String: Gazetteer]>([:])

    /// The gazetteer of a service: the file that its configuration names; otherwise the one inside the program. It is
    /// loaded at the first use and then kept, so that a path costs its memory once.
    public static func configured(_ path: String?) throws(GazetteerError) -> Gazetteer {
        guard let path else { return try embedded() }
        if let known = configured.withLock({ $0[path] }) { return known }
        let gazetteer = try Gazetteer(path: path)
        configured.withLock { $0[path] = gazetteer }
        return gazetteer
    }
}
