// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// Reads a regular file, up to a limit.
struct FileFetch {
    let path: String
    let request: FetchRequest

    func run(_ progress: (FetchProgress) -> Void) throws(FetchError.Reason) -> FetchResult {
        // With O_NONBLOCK, opening a pipe does not wait for a writer before `fstat` can refuse the pipe.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .fileNotFound : .fileUnreadable(Self.lastError) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileUnreadable(Self.lastError) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegularFile }
        let modified = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        let etag = "\"\(status.st_size)-\(modified)-\(status.st_ino)\""
        if request.validators.etag == etag { return .notModified }
        let limit = request.limits.maxBytes
        guard status.st_size <= limit else { throw .tooLarge(limit: limit, announced: Int(status.st_size)) }
        let bytes = try DescriptorReader(descriptor: descriptor, limit: limit).read(
            expected: Int(status.st_size), progress)
        return .fetched(FetchedBody(bytes: bytes, validators: FetchValidators(etag: etag)))
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}

enum System {
    /// Returns the value of an environment variable; nil if it is unset or empty.
    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
