// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Reads a regular file within the bound on its size.
struct FileFetch {
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
        let bytes = try DescriptorReader(descriptor: descriptor, limit: limit).read(
            expected: Int(status.st_size), progress)
        return .fetched(FetchedBody(bytes: bytes, validators: FetchValidators(etag: etag)))
    }

    private static var lastError: String { String(cString: strerror(errno)) }

    private static func modified(_ status: stat) -> String {
        "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}

/// What the system says of itself.
enum System {
    /// Of the wall clock.
    static var unixSeconds: Int { time(nil) }

    /// A variable of the environment; nil for one that is empty.
    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
