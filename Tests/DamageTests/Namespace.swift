// SPDX-License-Identifier: Apache-2.0

import FaultKit
import Foundation
import Glibc

/// A network namespace joined to this one by a pair of interfaces. Packets can be dropped in both directions.
final class Namespace {
    static let tools = (
        ip: ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first { FileManager.default.isExecutableFile(atPath: $0) },
        tc: ["/usr/sbin/tc", "/sbin/tc", "/usr/bin/tc"].first { FileManager.default.isExecutableFile(atPath: $0) }
    )
    static let isPossible: Bool = {
        guard geteuid() == 0, tools.ip != nil, tools.tc != nil, let folder = try? Folder(),
            let space = try? Namespace(folder.path)
        else { return false }
        space.close()
        return true
    }()

    let name: String
    let address: String
    private let outer: String
    private let inner: String
    private let log: String
    private let directory: String

    init(_ directory: String) throws {
        let number = UInt32.random(in: 0..<16_384)
        self.directory = directory
        log = "\(directory)/network.log"
        (name, outer, inner) = ("wd\(number)", "wd\(number)a", "wd\(number)b")
        let network = "10.231.\(number / 64).\(number % 64 * 4)"
        let host = network.split(separator: ".").dropLast().joined(separator: ".")
        let last = number % 64 * 4
        address = "\(host).\(last + 2)"
        do {
            try ip("netns", "add", name)
            try ip("link", "add", outer, "type", "veth", "peer", "name", inner)
            try ip("link", "set", inner, "netns", name)
            try ip("addr", "add", "\(host).\(last + 1)/30", "dev", outer)
            try ip("link", "set", outer, "up")
            try ip("-n", name, "addr", "add", "\(address)/30", "dev", inner)
            try ip("-n", name, "link", "set", inner, "up")
            try ip("-n", name, "link", "set", "lo", "up")
            // Only an attempt shows whether the kernel supports dropping.
            try drop(true)
            try drop(false)
        } catch {
            close()
            throw error
        }
    }

    /// Drops every packet in both directions, without notice to either end.
    func drop(_ isDropping: Bool) throws {
        let verb = isDropping ? "add" : "del"
        let rest = ["root"] + (isDropping ? ["blackhole"] : [])
        try run(Self.tools.tc, ["qdisc", verb, "dev", outer] + rest)
        try run(Self.tools.tc, ["-n", name, "qdisc", verb, "dev", inner] + rest)
    }

    /// Deletes the namespace, and both interfaces with it.
    func close() { try? ip("netns", "del", name) }

    private func ip(_ words: String...) throws { try run(Self.tools.ip, words) }

    private func run(_ tool: String?, _ words: [String]) throws {
        guard let tool else { throw FaultError("iproute2 is missing") }
        let program = try Program(tool, words, directory: directory, log: log)
        guard program.wait() == 0 else { throw FaultError("\(tool) \(words.joined(separator: " ")) failed") }
    }
}
