// SPDX-License-Identifier: Apache-2.0

/// An asynchronous call that runs at most once at a time, for any number of callers. Each caller waits only up to its
/// own limit.
///
/// An event loop that hangs does not answer. If each caller made a call of its own, the calls would pile up, and the
/// callers would hang too.
actor SharedCall<Value: Sendable> {
    private let body: @Sendable () async -> Value?
    /// The latest result that was not nil.
    private(set) var last: Value?
    private var isUnderWay = false
    private var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    private var lastNumber: UInt64 = 0

    init(_ body: @escaping @Sendable () async -> Value?) {
        self.body = body
    }

    /// Starts the call, or joins the call that is under way.
    ///
    /// - Returns: whether the call ended within `limit`. If not, the call goes on.
    func run(within limit: Duration) async -> Bool {
        lastNumber += 1
        let number = lastNumber
        if !isUnderWay {
            isUnderWay = true
            Task {
                if let value = await body() { last = value }
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
        // Neither task can run before the continuation is stored, because both need the actor.
        let isOver = await withCheckedContinuation { waiting[number] = $0 }
        timer.cancel()
        return isOver
    }
}
