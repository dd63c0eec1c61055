// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ
internal import Glibc

/// Starts a thread that runs `body`, and must be joined or detached. Returns `nil` if no thread can be created.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(
        Start {
            waymark_name_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
            body()
        })
    let result = pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, start.toOpaque())
    guard result == 0 else {
        start.release()
        return nil
    }
    return thread
}

/// Starts a thread that runs `body` and is never joined.
///
/// - Returns: `false` if the process cannot create another thread.
@discardableResult
package func startDetachedThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = startThread(name, body) else { return false }
    pthread_detach(thread)
    return true
}
