// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A network namespace, which is a machine of its own as far as the network goes, joined to another one by a pair of
/// interfaces. Needs root and iproute2.
public final class Namespace: Sendable {
    /// The owner of the other interface of the pair.
    public enum Peer: Sendable { case here, other(Namespace), nobody }

    static let ip = tool("ip")
    static let tc = tool("tc")
    /// Whether namespaces can be made and joined, which only an attempt shows.
    public static let isPossible: Bool = attempt { _ in }
    /// Whether packets can be dropped too.
    public static let canDrop: Bool = attempt { space throws(NamespaceError) in
        try space.drop(true)
        try space.drop(false)
    }

    public let name: String
    /// This namespace's address.
    public let address: String
    /// The address at the other end of the pair.
    public let peerAddress: String
    private let outer: String
    private let inner: String
    private let peer: Peer

    public init(joinedTo peer: Peer = .here) throws(NamespaceError) {
        let number = UInt32.random(in: 0..<16_384)
        let (network, last) = ("10.231.\(number / 64)", number % 64 * 4)
        self.peer = peer
        (name, outer, inner) = ("wd\(number)", "wd\(number)a", "wd\(number)b")
        (peerAddress, address) = ("\(network).\(last + 1)", "\(network).\(last + 2)")
        do throws(NamespaceError) {
            try ip("netns", "add", name)
            try ip("-n", name, "link", "set", "lo", "up")
            if case .nobody = peer { return }
            try ip("link", "add", outer, "type", "veth", "peer", "name", inner)
            try ip("link", "set", inner, "netns", name)
            var there: [String] = []
            if case .other(let space) = peer {
                try ip("link", "set", outer, "netns", space.name)
                there = ["-n", space.name]
            }
            for (place, device, address) in [(there, outer, peerAddress), (["-n", name], inner, address)] {
                try run(Self.ip, place + ["addr", "add", "\(address)/30", "dev", device])
                try run(Self.ip, place + ["link", "set", device, "up"])
            }
        } catch {
            close()
            throw error
        }
    }

    /// The words that start a program in this namespace, and in a mount namespace of its own.
    public func words(_ program: [String]) -> [String] { [Self.ip ?? "ip", "netns", "exec", name] + program }

    /// Drops every packet in both directions, without notice to either end.
    public func drop(_ isDropping: Bool) throws(NamespaceError) {
        let verb = isDropping ? "add" : "del"
        let rest = ["root"] + (isDropping ? ["blackhole"] : [])
        let there = if case .other(let space) = peer { ["-n", space.name] } else { [String]() }
        try run(Self.tc, there + ["qdisc", verb, "dev", outer] + rest)
        try run(Self.tc, ["-n", name, "qdisc", verb, "dev", inner] + rest)
    }

    /// Deletes the namespace, and both interfaces with it as soon as no program is left in it.
    public func close() { try? ip("netns", "del", name) }

    private func ip(_ words: String...) throws(NamespaceError) { try run(Self.ip, words) }

    private func run(_ tool: String?, _ words: [String]) throws(NamespaceError) {
        let ended = tool.flatMap { try? Child.run([$0] + words) }
        guard ended?.status == 0 else {
            let program = "\(tool ?? "iproute2") \(words.joined(separator: " "))"
            throw NamespaceError(description: "\(program) failed: \(ended?.text ?? "")")
        }
    }

    private static func attempt(_ body: (Namespace) throws(NamespaceError) -> Void) -> Bool {
        guard geteuid() == 0, ip != nil, let space = try? Namespace() else { return false }
        defer { space.close() }
        return (try? body(space)) != nil
    }

    private static func tool(_ name: String) -> String? {
        ["/usr/sbin/", "/sbin/", "/usr/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}

public struct NamespaceError: Error, CustomStringConvertible {
    public let description: String
}
