// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Synchronization

/// Knows whether there is room to write, and when to look at the disk again.
///
/// Some room is kept free, so that storage's own work (a checkpoint, a compaction, the text search, the row of its next
/// run) does not fail half-way on a full disk. The file system is asked before each batch: that costs a microsecond or
/// two, and a batch costs a flush. While nothing can be written, the file system is asked once a second. Any thread may
/// read the condition.
final class DiskWatch: Sendable {
    private let reserve: UInt64
    private let pause: Duration
    private let uptime: @Sendable () -> Duration
    private let room: @Sendable () -> UInt64?
    private let control: EngineControl
    private let looked = Mutex<Duration?>(nil)

    /// - Parameters:
    ///   - reserve: bytes that are kept free.
    ///   - pause: the time between two looks at the disk, while nothing can be written or no room is kept free.
    ///   - control: receives the condition.
    ///   - room: returns the free bytes; nil if they are unknown.
    init(
        reserve: UInt64, pause: Duration, uptime: @escaping @Sendable () -> Duration,
        control: EngineControl = EngineControl(), room: @escaping @Sendable () -> UInt64?
    ) {
        self.control = control
        self.reserve = reserve
        self.pause = pause
        self.uptime = uptime
        self.room = room
    }

    var condition: EngineCondition { control.condition }

    /// Whether it is time to look at the disk again. Each due time is reported once.
    func isDue() -> Bool {
        let (now, mayPass) = (uptime(), reserve > 0 && condition == .writable)
        return looked.withLock { looked in
            if !mayPass, let before = looked, now - before < pause { return false }
            looked = now
            return true
        }
    }

    /// Whether the free room is enough. After the disk was full, a quarter more is required, so that the condition does
    /// not change back and forth.
    ///
    /// - Parameters:
    ///   - bytes: the estimated size of the next writes. They must leave the reserve free; only beyond a quarter of the
    ///     reserve may they take some of it.
    ///   - reusable: returns the bytes within the database that the next writes can reuse. They count for at most three
    ///     quarters of the required room, because write-ahead logs and the text search are other files. Called only if
    ///     the free room is not enough.
    func hasRoom(for bytes: UInt64 = 0, reusable: () -> UInt64) -> Bool {
        guard let left = room() else { return true }
        var more = min(bytes, reserve / 4)
        if case .full = condition { more = reserve / 4 }
        let needed = reserve + more
        guard left < needed, left < needed - min(needed / 4 * 3, reusable()) else { return true }
        enter(.full(room: left, reserve: reserve))
        return false
    }

    /// Sets the condition that the last attempt to write showed.
    func enter(_ condition: EngineCondition) { control.enter(condition) }

    /// Sets the condition after a failed attempt to write.
    func failed(_ error: EngineError) {
        if let condition = EngineCondition(error, reserve: reserve) { enter(condition) }
    }
}
