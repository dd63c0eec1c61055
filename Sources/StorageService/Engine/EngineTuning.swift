// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    // The system's structs are in the headers of several modules, and count as those of the one that was loaded first.
    import CDispatch
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
    /// How long this machine has run, whatever its clock is set to.
    var uptime: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
