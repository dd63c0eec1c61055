// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the embedded engine lets its owner choose.
struct EngineTuning: Sendable {
    var answers = AnswerWindow()
    /// How long a search waits for a revision that it has not come to.
    var searchPatience: Duration = .seconds(3)
    /// Bytes of the file system that are kept free.
    var reserve: UInt64 = 0
    /// Between two looks at the disk.
    var diskPause: Duration = .seconds(1)
    /// Whether a database of an earlier release is copied before its schema is brought up to date.
    var backsUpBeforeUpgrade = true
    /// How long this machine has run, whatever its clock is set to.
    var uptime: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
