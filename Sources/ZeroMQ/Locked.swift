// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A value protected by a mutex, so that only one thread at a time can use it.
///
/// `Synchronization.Mutex` would do, but on Linux ThreadSanitizer does not see its futex, and reports races that do not
/// exist. ThreadSanitizer does see `pthread_mutex_t`.
///
/// `@unchecked Sendable` although the value need not be Sendable: every use of `value` holds the mutex, and results
/// leave as `sending`.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Unchecked, because the mutex, which cannot be locked twice, keeps every two uses of the value apart.
    @exclusivity(unchecked) @usableFromInline var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let result = pthread_mutex_init(mutex, nil)
        precondition(result == 0, "pthread_mutex_init: \(result)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` while no other thread runs a closure under this lock. Not reentrant.
    // Inlinable, because another module's generic function looks up its types at each call.
    @inlinable
    package func withLock<R: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
        lock()
        defer { unlock() }
        return try body(&value)
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
