// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

extension EventLoop {
    /// For stored properties of a test's actors, which cannot throw. If the process cannot have another thread or
    /// descriptor, the tests cannot go on.
    public static func forTest(_ name: String) -> EventLoop {
        do { return try EventLoop(name: name) } catch { preconditionFailure("\(name): \(error)") }
    }
}
