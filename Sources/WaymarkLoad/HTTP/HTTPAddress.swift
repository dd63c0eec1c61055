// SPDX-License-Identifier: Apache-2.0

import Glibc
import IPAddresses

/// The address at which a host accepts connections.
struct HTTPAddress {
    private var storage = sockaddr_storage()
    private var size: socklen_t = 0

    /// Finds the first address of the host that accepts a connection. Blocks the thread.
    ///
    /// - Parameter limit: the nanoseconds to wait for each address.
    /// - Throws: ``HTTPLoadError/nobody(_:)``.
    init(_ origin: HTTPOrigin, within limit: UInt64) throws(HTTPLoadError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(origin.host, "\(origin.port)", &hints, &list) == 0 else { throw .nobody("\(origin)") }
        defer { freeaddrinfo(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr, Int(entry.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else {
                continue
            }
            memcpy(&storage, address, Int(entry.ai_addrlen))
            size = entry.ai_addrlen
            if connect(within: limit) != nil { return }
        }
        throw .nobody("\(origin)")
    }

    /// Makes a connection that never blocks.
    ///
    /// - Parameter limit: the nanoseconds to wait until it is open; 0 to return while it opens.
    /// - Returns: nil if it was refused or did not open in time.
    func connect(within limit: UInt64) -> HTTPConnection? {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(Int32(storage.ss_family), Int32(kind), 0)
        guard descriptor >= 0 else { return nil }
        let connection = HTTPConnection(descriptor)
        // A request is sent at once, without waiting for more to send.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let result = withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        guard result == 0 || errno == EINPROGRESS else { return nil }
        return limit == 0 || Self.isOpen(descriptor, within: limit) ? connection : nil
    }

    private static func isOpen(_ descriptor: Int32, within limit: UInt64) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var found: Int32
        repeat { found = poll(&polled, 1, Int32(clamping: limit / 1_000_000 + 1)) } while found < 0 && errno == EINTR
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return found > 0 && getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0
    }
}

/// A connection that never blocks. It is closed with this object.
final class HTTPConnection {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns bytes that are valid until the buffer's next call, none after the connection's end; nil if none came.
    func receive(_ buffer: ReceiveBuffer) -> UnsafeRawBufferPointer? {
        let count = recv(descriptor, buffer.bytes.baseAddress, ReceiveBuffer.size, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer.bytes[..<max(0, count)])
    }

    /// - Returns: the number of bytes that were sent; nil if the connection has ended.
    func send(_ bytes: [UInt8]) -> Int? {
        let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return sent >= 0 || errno == EAGAIN ? max(0, sent) : nil
    }
}

/// The memory into which the connections of one thread receive.
final class ReceiveBuffer {
    /// The maximum number of bytes of one call.
    static let size = 65_536

    fileprivate let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)

    deinit { bytes.deallocate() }
}

/// The address of an HTTP interface, and the key for it.
public struct HTTPOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address. An IPv6 address has no brackets.
    public let host: String
    public let port: UInt16
    /// The secret that proves who asks; nil for none. It is sent in the clear.
    public var bearer: String?

    public init(host: String, port: UInt16, bearer: String? = nil) {
        (self.host, self.port, self.bearer) = (host, port, bearer)
    }

    /// The address as in the header `Host`.
    public var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether nothing that is sent leaves this machine.
    public var isLoopback: Bool {
        // `IPAddress` leaves out a zone, and a resolver may read an IPv4 address with a zone as a name.
        host == "localhost" || !host.contains("%") && IPAddress(host)?.isLoopback == true
    }

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - target: the path with its query, percent-encoded.
    ///   - fields: further headers, each with the end of its line.
    public func request(_ target: String, method: String = "GET", fields: String = "", body: String = "") -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(self)\r\n\(fields)"
        if let bearer { head += "Authorization: Bearer \(bearer)\r\n" }
        if !body.isEmpty { head += "Content-Length: \(body.utf8.count)\r\n" }
        return Array("\(head)\r\n\(body)".utf8)
    }
}
