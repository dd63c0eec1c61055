// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads a file descriptor to its end, up to a limit.
struct DescriptorReader {
    private static let chunk = 1 << 20

    let descriptor: Int32
    let limit: Int

    /// Reads to the end, also beyond the expected size, because a file may grow, and files under /proc have the size 0.
    ///
    /// - Parameter expected: the size in bytes that the system or the server announced; nil if it is unknown.
    func read(expected: Int?, _ progress: (FetchProgress) -> Void) throws(FetchError.Reason) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected ?? 0)
        var failure: String?
        while true {
            if Task.isCancelled { throw .cancelled }
            let part = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
                var result: Int
                repeat {
                    result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                } while result < 0 && errno == EINTR
                if result < 0 { failure = String(cString: strerror(errno)) }
                count = max(result, 0)
            }
            if let failure { throw .fileUnreadable(failure) }
            if part.isEmpty { return bytes }
            guard bytes.count + part.count <= limit else { throw .tooLarge(limit: limit, announced: nil) }
            bytes += part
            progress(FetchProgress(bytes: bytes.count, expected: expected))
        }
    }

    /// Reads to the end on a separate thread.
    func readApart(_ progress: @escaping @Sendable (FetchProgress) -> Void) async throws(FetchError.Reason) -> [UInt8] {
        try await OwnThread.run(failing: FetchError.Reason.fileUnreadable) { () throws(FetchError.Reason) -> [UInt8] in
            try read(expected: nil, progress)
        }.get()
    }
}
