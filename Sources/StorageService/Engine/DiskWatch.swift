// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Knows whether there is room to write, and when to look at the disk again.
///
/// Some room is kept free, so that storage's own work (a checkpoint, a compaction, the text search, the row of its next
/// run) does not fail half-way on a full disk. The writer asks before each batch, and the file system is
/// asked at most once a second, or sooner when much has been written. Anybody may read the condition.
final class DiskWatch: Sendable {
    private struct State {
        var looked: Duration?
        var written: UInt64 = 0
    }

    private let reserve: UInt64
    private let pause: Duration
    private let uptime: @Sendable () -> Duration
    private let room: @Sendable () -> UInt64?
    private let remote: EngineRemote
    private let state = Mutex(State())

    /// - Parameters:
    ///   - reserve: bytes that are kept free.
    ///   - pause: between two looks at the disk.
    ///   - remote: gets the condition.
    ///   - room: returns the free bytes; nil if they are unknown.
    init(
        reserve: UInt64, pause: Duration, uptime: @escaping @Sendable () -> Duration,
        remote: EngineRemote = EngineRemote(), room: @escaping @Sendable () -> UInt64?
    ) {
        self.remote = remote
        self.reserve = reserve
        self.pause = pause
        self.uptime = uptime
        self.room = room
    }

    var condition: EngineCondition { remote.condition }

    /// Whether it is time to look at the disk again. Returns true once for each time.
    func isDue() -> Bool {
        let now = uptime()
        return state.withLock { state in
            let isOutrun = reserve > 0 && state.written >= reserve / 4
            if let looked = state.looked, now - looked < pause, !isOutrun { return false }
            state.looked = now
            state.written = 0
            return true
        }
    }

    /// Whether the free room is enough. After the disk was full a quarter more is required, so that the condition does not
    /// change back and forth.
    ///
    /// - Parameter reusable: returns the bytes within the database that the next writes can reuse. They replace at most
    ///   three quarters of the required room, because write-ahead logs and the text search are other files. Called only
    ///   if the free room is not enough.
    func hasRoom(reusable: () -> UInt64) -> Bool {
        guard let left = room() else { return true }
        var needed = reserve
        if case .full = condition { needed += reserve / 4 }
        guard left < needed, left < needed - min(needed / 4 * 3, reusable()) else { return true }
        enter(.full(room: left, reserve: reserve))
        return false
    }

    /// Sets the condition that the last attempt to write has shown.
    func enter(_ condition: EngineCondition) { remote.enter(condition) }

    func wrote(_ bytes: Int) { state.withLock { $0.written += UInt64(max(0, bytes)) } }

    /// Sets the condition after a failed attempt to write.
    func failed(_ error: EngineError) {
        switch error {
        case .full: enter(.full(room: nil, reserve: reserve))
        case .io(let why): enter(.failing(why))
        default: break
        }
    }
}
