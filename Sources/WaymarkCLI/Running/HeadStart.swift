// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol
import ZeroMQ

/// Things that a command needs after its arguments are parsed. A second thread makes them meanwhile, because both take
/// some milliseconds.
enum HeadStart {
    /// The context of the process's client; nil if it cannot be made.
    static let context = Task.detached { () -> Context? in
        let context = try? Context()
        // libzmq starts its threads at the first socket.
        if let context { _ = try? Socket(.dealer, context: context) }
        // Swift searches all conformances of the program when a type is first used, and remembers the result.
        _ = try? WireReply(serializedBytes: WireRequest.with { $0.near.limit = 1 }.encoded)
        _ = Figures.fixed(0, 1)
        return context
    }
}
