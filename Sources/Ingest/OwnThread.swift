// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs work that blocks. It may take hours, and the threads of Swift's pool are few.
enum OwnThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Parameter problem: the reason to fail with, from the system's words, if the process cannot have another thread.
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

    /// - Returns: 0, or the error number of a process that cannot have one more thread. Then nothing is run.
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
