// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOConcurrencyHelpers
import NIOPosix

/// The machines that are trusted as proxies. They end TLS before this service, and their headers about a request are
/// believed.
public struct ProxyRule: Sendable {
    public struct Malformed: Error, CustomStringConvertible {
        public let word: String
        public var description: String {
            "\"\(word)\" is no proxy: name an address, a network such as 10.0.0.0/8, or a host."
        }
    }

    private enum Proxy: Sendable {
        case network(AddressBlock)
        case host(String)
    }

    /// The addresses of host names. They are looked up again every few seconds, because a restarted container may have
    /// a new address.
    private final class Names: Sendable {
        private static let age = Duration.seconds(5)
        private let known = NIOLockedValueBox<[String: (addresses: Set<IPAddress>, at: ContinuousClock.Instant)]>([:])

        func addresses(_ host: String) async -> Set<IPAddress> {
            let found = known.withLockedValue { $0[host] }
            if let found, ContinuousClock.now - found.at < Self.age { return found.addresses }
            // The lookup blocks its thread while it asks a name server, so it runs on NIO's thread pool.
            let addresses = (try? await NIOThreadPool.singleton.runIfActive { Self.resolve(host) }) ?? []
            known.withLockedValue { $0[host] = (addresses, .now) }
            return addresses
        }

        private static func resolve(_ host: String) -> Set<IPAddress> {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, nil, &hints, &list) == 0, let first = list else { return [] }
            defer { freeaddrinfo(first) }
            var addresses: Set<IPAddress> = []
            for info in sequence(first: first, next: { $0.pointee.ai_next }) {
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                let size = socklen_t(text.count)
                let error = getnameinfo(
                    info.pointee.ai_addr, info.pointee.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST)
                let name = text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                if error == 0, let address = IPAddress(name) { addresses.insert(address) }
            }
            return addresses
        }
    }

    private let proxies: [Proxy]
    private let names = Names()

    /// Makes a rule that trusts no proxy.
    public init() { proxies = [] }

    /// - Parameter words: IP addresses, networks or host names.
    public init(_ words: [String]) throws(Malformed) {
        proxies = try words.map { (word) throws(Malformed) -> Proxy in
            if let block = AddressBlock(word) { return .network(block) }
            let isName = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
            guard isName, !word.isEmpty, word.utf8.contains(where: { $0 > UInt8(ascii: "9") }) else {
                throw Malformed(word: word)
            }
            return .host(word)
        }
    }

    public var isEmpty: Bool { proxies.isEmpty }

    public func contains(_ address: IPAddress) async -> Bool {
        for proxy in proxies {
            switch proxy {
            case .network(let block): if block.contains(address) { return true }
            case .host(let name): if await names.addresses(name).contains(address) { return true }
            }
        }
        return false
    }
}
