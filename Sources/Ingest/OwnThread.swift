// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs blocking work on a new thread. The work may take hours, and Swift's pool has few threads.
enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Parameter problem: makes the error if the system refuses to start a thread, from the system's description.
    static func run<Success: Sendable>(
        failing problem: (String) -> FetchError.Reason,
        _ work: @escaping @Sendable () throws(FetchError.Reason) -> Success
    ) async throws(FetchError.Reason) -> Success {
        try await withCheckedContinuation { (done: CheckedContinuation<Result<Success, FetchError.Reason>, Never>) in
            let body = Body {
                do throws(FetchError.Reason) {
                    done.resume(returning: .success(try work()))
                } catch {
                    done.resume(returning: .failure(error))
                }
            }
            let number = start(body)
            if number != 0 { done.resume(returning: .failure(problem(String(cString: strerror(number))))) }
        }.get()
    }

    /// - Returns: 0, or the error number if no thread could be started; then the work is not run.
    private static func start(_ body: Body) -> Int32 {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(body)
        let problem = pthread_create(
            &thread, nil,
            { argument in
                // The thread owns the reference that was passed to it.
                argument.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        if problem == 0 { pthread_detach(thread) } else { argument.release() }
        return problem
    }
}
