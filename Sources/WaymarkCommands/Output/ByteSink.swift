// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where bytes of output go: a file descriptor, or memory in a test.
protocol ByteSink: Sendable {
    /// Writes all of it before it returns: a line that was written can be read at the other end.
    func write(_ bytes: [UInt8]) throws(SinkError)
}

/// Why output could not be written.
enum SinkError: Error, Equatable {
    /// Nobody reads any more, as after `| head`. No error to a person, but nothing more is to be done.
    case readerGone
    /// The system's number: a full disk, say.
    case failed(errno: Int32)
}

extension SinkError: CustomStringConvertible {
    var description: String {
        switch self {
        case .readerGone: "Nobody reads the output any more."
        case .failed(let number): "The output cannot be written: \(String(cString: strerror(number)))."
        }
    }
}

/// A file descriptor, written to without a buffer of our own.
struct DescriptorSink: ByteSink {
    let descriptor: Int32

    func write(_ bytes: [UInt8]) throws(SinkError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            }
            if count >= 0 {
                done += count
                continue
            }
            switch errno {
            case EINTR: continue
            // Somebody who shares this terminal or pipe has made it non-blocking.
            case EAGAIN: waitForRoom()
            case EPIPE: throw .readerGone
            case let number: throw .failed(errno: number)
            }
        }
    }

    private func waitForRoom() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
