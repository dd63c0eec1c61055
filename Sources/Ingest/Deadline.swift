// SPDX-License-Identifier: Apache-2.0

/// Bounds the whole of an operation. The HTTP client's own deadline ends with the head of the answer: a body that drips
/// for ever is beyond it.
enum Deadline {
    static func run<Success: Sendable>(
        within limit: Duration, _ operation: @escaping @Sendable () async throws(FetchError.Reason) -> Success
    ) async throws(FetchError.Reason) -> Success {
        let result = await withTaskGroup(of: Result<Success, FetchError.Reason>?.self) { group in
            group.addTask {
                do {
                    return .success(try await operation())
                } catch let reason as FetchError.Reason {
                    return .failure(reason)
                } catch {
                    return .failure(.cancelled)
                }
            }
            group.addTask {
                // Nil when the sleep was cancelled: then the operation has the word.
                (try? await Task.sleep(for: limit)).map { .failure(.timedOut(limit)) }
            }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .failure(.cancelled)
        }
        return try result.get()
    }
}
