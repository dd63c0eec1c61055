// SPDX-License-Identifier: Apache-2.0

import Glibc
import LoadTest

/// Writes 4 KiB and flushes them, again and again, inside a file that has its size already, as a log in use has.
final class DiskFlush {
    private static let page = 4_096
    private static let pages = 256
    private let path: String
    private let descriptor: Int32
    private let bytes = [UInt8](repeating: 0x57, count: page)

    init(folder: String) throws(CalibrationError) {
        path = "\(folder)/calibration"
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .disk }
        for page in 0..<Self.pages where !write(page) {
            close()
            throw .disk
        }
        guard fdatasync(descriptor) == 0 else {
            close()
            throw .disk
        }
    }

    /// - Parameter limit: in nanoseconds.
    func times(_ limit: UInt64) throws(CalibrationError) -> Latencies {
        var times = Latencies()
        let begun = NanoClock.now
        var (now, number) = (begun, 0)
        repeat {
            let before = now
            guard write(number % Self.pages), fdatasync(descriptor) == 0 else { throw .disk }
            now = NanoClock.now
            times.record(now - before)
            number += 1
        } while now - begun < limit
        return times
    }

    private func write(_ page: Int) -> Bool {
        bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, page * Self.page) } == Self.page
    }

    func close() {
        Glibc.close(descriptor)
        unlink(path)
    }
}
