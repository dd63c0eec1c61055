// SPDX-License-Identifier: Apache-2.0

public import ZeroMQ

extension EventLoop {
    /// For a stored property of an actor of a test, which cannot throw. A process of tests without a thread or a
    /// descriptor for it has nothing more to show.
    public static func forTest(_ name: String) -> EventLoop {
        do { return try EventLoop(name: name) } catch { preconditionFailure("\(name): \(error)") }
    }
}
