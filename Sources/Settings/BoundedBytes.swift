// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads files that are expected to be small.
enum BoundedBytes {
    /// Reads a file, or throws if it has more than `limit` bytes.
    ///
    /// - Parameter path: relative to the working directory, or absolute.
    static func read(_ path: String, upTo limit: Int) throws(SettingsError) -> [UInt8] {
        // Read the file to its end, instead of asking for its size, because it may be a pipe such as a shell's
        // <(command).
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .fileUnreadable(path, reason: "it is a folder") }
        var bytes: [UInt8] = []
        while true {
            var number: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { number = errno }
                count = max(result, 0)
            }
            if number == EINTR { continue }
            guard number == 0 else { throw unreadable(path, number) }
            if part.isEmpty { return bytes }
            bytes += part
            if bytes.count > limit { throw .fileTooLarge(path, limit: limit) }
        }
    }

    private static func unreadable(_ path: String, _ number: Int32) -> SettingsError {
        let reason = number == ENOENT ? "there is no such file" : String(cString: strerror(number))
        return .fileUnreadable(path, reason: reason)
    }
}
