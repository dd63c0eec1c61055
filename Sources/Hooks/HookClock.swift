// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

/// The clocks and the random numbers of hooks. Tests let days pass at once.
struct HookClock: Sendable {
    /// Returns the time since any beginning. It goes on while the machine is suspended.
    var now: @Sendable () -> Duration
    /// Returns the Unix time in milliseconds.
    var unix: @Sendable () -> UInt64
    /// Waits, and throws if the task is cancelled.
    var sleep: @Sendable (Duration) async throws -> Void
    /// Returns a random number of at least 0 and below 1.
    var random: @Sendable () -> Double

    static let system = HookClock(
        now: { .nanoseconds(Int64(clamping: Monotonic.nanoseconds)) }, unix: { WallClock.milliseconds },
        sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0..<1) })
}
