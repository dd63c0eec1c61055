// SPDX-License-Identifier: Apache-2.0

import EngineParts
import Synchronization

/// Knows whether there is room for writes, and when to check the disk again.
///
/// Some bytes are kept free, so that storage's own work (a checkpoint, a compaction, the text search, the row of its
/// next run) does not fail half-way on a full disk. The disk is checked before each batch, because a check costs only a
/// microsecond or two, while a batch costs a flush. While nothing can be written, the disk is checked once a second.
/// Any thread may read the condition.
final class DiskWatch: Sendable {
    private let reserve: UInt64
    private let pause: Duration
    private let uptime: @Sendable () -> Duration
    private let room: @Sendable () -> UInt64?
    private let control: EngineControl
    private let looked = Mutex<Duration?>(nil)

    /// - Parameters:
    ///   - reserve: the number of bytes that are kept free; 0 if none are.
    ///   - pause: the time between two checks of the disk while nothing can be written, or if `reserve` is 0.
    ///   - control: receives the condition.
    ///   - room: returns the number of free bytes; nil if it is unknown.
    init(
        reserve: UInt64, pause: Duration, uptime: @escaping @Sendable () -> Duration,
        control: EngineControl = EngineControl(), room: @escaping @Sendable () -> UInt64?
    ) {
        (self.control, self.reserve, self.pause) = (control, reserve, pause)
        (self.uptime, self.room) = (uptime, room)
    }

    var condition: EngineCondition { control.condition }

    /// Whether a check of the disk is due. Returns true only once for each due check.
    func isDue() -> Bool {
        let (now, mayPass) = (uptime(), reserve > 0 && condition == .writable)
        return looked.withLock { looked in
            if !mayPass, let before = looked, now - before < pause { return false }
            looked = now
            return true
        }
    }

    /// Whether enough bytes are free. After the disk was full, a quarter more is required, so that the condition does
    /// not change back and forth.
    ///
    /// - Parameters:
    ///   - bytes: the estimated size of the next writes. The reserve must stay free after them, but the part of `bytes`
    ///     that exceeds a quarter of the reserve may be taken from the reserve.
    ///   - reusable: returns the number of bytes inside the database that the next writes can reuse. They count for at
    ///     most three quarters of the required bytes, because the write-ahead log and the text search are other files.
    ///     Called only if too few bytes are free.
    func hasRoom(for bytes: UInt64 = 0, reusable: () -> UInt64) -> Bool {
        guard let left = room() else { return true }
        var more = min(bytes, reserve / 4)
        if case .full = condition { more = reserve / 4 }
        let needed = reserve + more
        guard left < needed, left < needed - min(needed / 4 * 3, reusable()) else { return true }
        enter(.full(room: left, reserve: reserve))
        return false
    }

    /// Enters the condition that the last attempt to write has shown.
    func enter(_ condition: EngineCondition) { control.enter(condition) }

    /// Enters the condition to which the error of a write leads.
    func failed(_ error: EngineError) {
        if let condition = EngineCondition(error, reserve: reserve) { enter(condition) }
    }
}
