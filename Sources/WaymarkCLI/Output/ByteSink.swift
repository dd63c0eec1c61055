// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The destination of output: a file descriptor, or memory in a test.
protocol ByteSink: Sendable {
    /// Writes all bytes before it returns, so that a reader can read a written line at once.
    func write(_ bytes: [UInt8]) throws(SinkError)
}

/// The reason why output could not be written.
enum SinkError: Error, Equatable, CustomStringConvertible {
    /// The reader has closed the pipe, as after `| head`. That is no error, but the command has nothing more to do.
    case readerGone
    /// The system's error number, for example for a full disk.
    case failed(errno: Int32)

    var description: String {
        switch self {
        case .readerGone: "The program that reads the output has ended."
        case .failed(let number): "The output cannot be written: \(String(cString: strerror(number)))."
        }
    }
}

/// Writes to a file descriptor without a buffer.
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
            // Another process that shares this terminal or pipe has made it non-blocking, so wait.
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
