// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc

/// A ZeroMQ peer made of a plain socket. It completes the handshake and then never reads again.
final class MutePeer {
    private let descriptor: Int32

    /// - Parameter kind: "DEALER" or "SUB".
    init(_ port: UInt16, _ kind: String) throws {
        guard let descriptor = Ports.connect(port, receiveBuffer: 4_096) else {
            throw FaultError("nobody listens on \(port): errno \(errno)")
        }
        self.descriptor = descriptor
        var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0] + Array("NULL".utf8)
        greeting += [UInt8](repeating: 0, count: 64 - greeting.count)
        let property = [11] + Array("Socket-Type".utf8) + [0, 0, 0, UInt8(kind.utf8.count)] + Array(kind.utf8)
        let ready = [5] + Array("READY".utf8) + property
        guard write(greeting + [4, UInt8(ready.count)] + ready) else { throw FaultError("no greeting was taken") }
        // Anything sent before the service's part of the handshake would be taken for a part of it.
        guard read(64) != nil, let head = read(2), read(Int(head[1])) != nil else {
            throw FaultError("the service ended the connection")
        }
        // From now on a send that would block is skipped.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Returns false if the service does not accept the data at the moment, or has closed the connection.
    @discardableResult
    func send(_ frames: [[UInt8]]) -> Bool {
        var bytes: [UInt8] = []
        for (index, frame) in frames.enumerated() {
            bytes.append((index + 1 < frames.count ? 1 : 0) | 2)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: frame.count >> (56 - 8 * $0)) }
            bytes += frame
        }
        return write(bytes)
    }

    /// Whether the service has closed the connection.
    var isEnded: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN)
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        // A partial message would corrupt all later ones. These are small, and the kernel accepts them completely or
        // not at all.
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

/// Figures that the kernel reports about a process.
enum ProcessFigures {
    /// In bytes.
    static func memory(_ pid: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
    }

    /// Processor time of all threads, in seconds.
    static func time(_ pid: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    static func files(_ pid: pid_t) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
    }

    /// Raises the limit of open files for the test's own connections.
    static func raiseLimit() {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        limits.rlim_cur = limits.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }
}
