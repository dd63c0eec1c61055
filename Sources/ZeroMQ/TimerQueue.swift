// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Timers ordered by deadline, in a binary heap. Most timers are time limits that are cancelled, so each timer knows
/// its index in the heap, by which it is removed.
struct TimerQueue {
    private var heap: [LoopTimer] = []
    private var nextOrder: UInt64 = 0

    /// Nanoseconds of a monotonic clock, which is never set back.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The timeout for `poll`, in milliseconds; -1 if there is no timer. Rounded up, because after a wait that ends
    /// early the event loop would have to wait again.
    var millisecondsToNext: Int {
        guard let first = heap.first else { return -1 }
        let nanoseconds = first.deadline - Self.now
        return nanoseconds <= 0 ? 0 : Int(min((nanoseconds + 999_999) / 1_000_000, Int64(Int32.max)))
    }

    mutating func insert(_ timer: LoopTimer) {
        timer.order = nextOrder
        nextOrder += 1
        timer.position = heap.count
        heap.append(timer)
        rise(timer.position)
    }

    mutating func remove(_ timer: LoopTimer) {
        let position = timer.position
        guard position >= 0 else { return }
        timer.position = -1
        let last = heap.removeLast()
        guard last !== timer else { return }
        place(last, at: position)
        sink(position)
        rise(last.position)
    }

    /// Removes and returns the first timer that is due at `now`; `nil` if none is due.
    mutating func popDue(_ now: Int64) -> LoopTimer? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(first)
        return first
    }

    var isEmpty: Bool { heap.isEmpty }

    mutating func endAll() {
        let ended = heap
        heap = []
        for timer in ended {
            timer.position = -1
            timer.end()
        }
    }

    private func isBefore(_ one: LoopTimer, _ other: LoopTimer) -> Bool {
        one.deadline != other.deadline ? one.deadline < other.deadline : one.order < other.order
    }

    private mutating func place(_ timer: LoopTimer, at position: Int) {
        heap[position] = timer
        timer.position = position
    }

    private mutating func rise(_ start: Int) {
        var position = start
        let timer = heap[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard isBefore(timer, heap[parent]) else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(timer, at: position)
    }

    private mutating func sink(_ start: Int) {
        var position = start
        let timer = heap[position]
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, isBefore(heap[child + 1], heap[child]) { child += 1 }
            guard isBefore(heap[child], timer) else { break }
            place(heap[child], at: position)
            position = child
        }
        place(timer, at: position)
    }
}
