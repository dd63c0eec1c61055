// SPDX-License-Identifier: Apache-2.0

/// Something asynchronous that is under way at most once, however many wait for it, and that nobody waits for longer
/// than they like.
///
/// A loop that hangs answers no question; asked again and again, it would have all of them to answer, and whoever asks
/// would hang with it.
actor SharedCall {
    private let body: @Sendable () async -> Void
    private var isUnderWay = false
    private var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    private var lastNumber: UInt64 = 0

    init(_ body: @escaping @Sendable () async -> Void) {
        self.body = body
    }

    /// Begins it, or joins the one that is under way.
    ///
    /// - Returns: whether it was over within `limit`. What was not goes on.
    func run(within limit: Duration) async -> Bool {
        lastNumber += 1
        let number = lastNumber
        if !isUnderWay {
            isUnderWay = true
            Task {
                await body()
                isUnderWay = false
                let all = waiting
                waiting.removeAll()
                for waiter in all.values { waiter.resume(returning: true) }
            }
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            waiting.removeValue(forKey: number)?.resume(returning: false)
        }
        // Neither task can run before this has been noted: both need the actor.
        let isOver = await withCheckedContinuation { waiting[number] = $0 }
        timer.cancel()
        return isOver
    }
}
