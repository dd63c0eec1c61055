// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a regular file within the bound on its size.
struct FileFetch {
    private static let chunk = 1 << 20

    let path: String
    let request: FetchRequest

    func run(_ progress: (FetchProgress) -> Void) throws(FetchError.Reason) -> FetchResult {
        // Not blocking, for a pipe would wait for its writer before it can be told that it is no file.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .fileNotFound : .fileUnreadable(Self.lastError) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileUnreadable(Self.lastError) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile }
        let etag = "\"\(status.st_size)-\(Self.modified(status))-\(status.st_ino)\""
        if request.validators.etag == etag { return .notModified }
        let limit = request.limits.maxBytes
        guard status.st_size <= limit else { throw .tooLarge(limit: limit, announced: Int(status.st_size)) }
        let bytes = try read(descriptor, expected: Int(status.st_size), limit, progress)
        return .fetched(FetchedBody(bytes: bytes, validators: FetchValidators(etag: etag)))
    }

    /// Reads to the end, which may lie beyond the size that was announced: the file may grow, and those under /proc
    /// announce 0.
    private func read(
        _ descriptor: Int32, expected: Int, _ limit: Int, _ progress: (FetchProgress) -> Void
    ) throws(FetchError.Reason) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected)
        var failure: String?
        while true {
            if Task.isCancelled { throw .cancelled }
            let part = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
                var result: Int
                repeat {
                    result = systemRead(descriptor, buffer.baseAddress, buffer.count)
                } while result < 0 && errno == EINTR
                if result < 0 { failure = Self.lastError }
                count = max(result, 0)
            }
            if let failure { throw .fileUnreadable(failure) }
            if part.isEmpty { return bytes }
            guard bytes.count + part.count <= limit else { throw .tooLarge(limit: limit, announced: nil) }
            bytes += part
            progress(FetchProgress(bytes: bytes.count, expected: expected))
        }
    }

    private static var lastError: String { String(cString: strerror(errno)) }

    private static func modified(_ status: stat) -> String {
        "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// The system's wall clock.
enum SystemTime {
    static var unixSeconds: Int { time(nil) }
}
