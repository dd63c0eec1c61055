// SPDX-License-Identifier: Apache-2.0

/// Starts an event loop, runs `body` with it, and then stops it, even if `body` throws.
///
/// Sockets that `body` releases are closed by the event loop, if need be after it was stopped. Throws the errors of
/// ``EventLoop/init(name:)`` and of `body`.
public func withEventLoop<R: Sendable>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: (EventLoop) async throws -> R
) async throws -> R {
    let loop = try EventLoop(name: name)
    let result: Result<R, any Error>
    do { result = .success(try await body(loop)) } catch { result = .failure(error) }
    await loop.stop()
    return try result.get()
}
