// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that only their owner may read.
public enum SecretFile {
    private static let longest = 65_536

    /// - Throws: ``KeyFileError/exposed(path:)`` if the file is no regular file, if it belongs neither to this user nor
    ///   to root, or if other users may read or write it.
    public static func read(_ path: String) throws(KeyFileError) -> [UInt8] {
        // Check the open file and not its path, because the path may meanwhile belong to another file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing(path: path) : failure(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
            status.st_uid == geteuid() || status.st_uid == 0
        else { throw .exposed(path: path) }
        guard status.st_size <= longest else { throw .malformed(path: path) }
        var bytes = [UInt8](repeating: 0, count: longest)
        var count = 0
        while count < longest {
            let read = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, longest - count) }
            guard read >= 0 || errno == EINTR else { throw failure(path) }
            if read == 0 { break }
            count += max(0, read)
        }
        return Array(bytes.prefix(count))
    }

    /// Writes a file that only its owner can read (mode 0600).
    ///
    /// - Parameters:
    ///   - replacing: whether to replace an existing file, in one step.
    ///   - isDurable: whether to wait until the file would survive a loss of power.
    public static func write(
        _ bytes: [UInt8], _ path: String, replacing: Bool, isDurable: Bool = true
    ) throws(KeyFileError) {
        let draft = "\(path).\(getpid()).draft"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
            }
            guard count >= 0 || errno == EINTR else { break }
            written += max(0, count)
        }
        let isWhole = written == bytes.count && (!isDurable || fsync(descriptor) == 0)
        let error = failure(path)
        close(descriptor)
        guard isWhole else {
            unlink(draft)
            throw error
        }
        // `link` fails if the path exists, but `rename` replaces the file.
        let moved = replacing ? rename(draft, path) : link(draft, path)
        let number = errno
        if !replacing || moved != 0 { unlink(draft) }
        guard moved == 0 else { throw number == EEXIST ? .exists(path: path) : failure(path, number) }
    }

    public static func remove(_ path: String) { unlink(path) }

    private static func failure(_ path: String, _ number: Int32 = errno) -> KeyFileError {
        .io(path: path, reason: String(cString: strerror(number)))
    }
}
