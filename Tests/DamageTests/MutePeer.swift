// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc

/// A ZeroMQ peer made of a plain socket, that introduces itself and then never reads again.
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
        // What is sent before the service has introduced itself is taken for a part of the handshake.
        guard read(64) != nil, let head = read(2), read(Int(head[1])) != nil else {
            throw FaultError("the service ended the connection")
        }
        // From now on a send that would block is not made.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// False when the service does not take it at the moment, or has ended the connection.
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

    /// Whether the other end has closed it.
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
        // A part of a message would spoil all that follow; these are small, and the kernel takes them whole or not.
        Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

/// What the kernel says of a process.
enum ProcessFigures {
    /// Bytes.
    static func memory(_ pid: pid_t) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1_024
    }

    /// Seconds of processor time, of all threads.
    static func time(_ pid: pid_t) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    static func files(_ pid: pid_t) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0
    }

    /// Room for the connections of a test in this process.
    static func raiseLimit() {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        limits.rlim_cur = limits.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }
}
