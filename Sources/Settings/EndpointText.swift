// SPDX-License-Identifier: Apache-2.0

/// The syntax of a ZeroMQ endpoint. Flags, files and variables are checked by the same rules, because libzmq takes
/// ports modulo 65,536 and accepts some words that are no endpoints.
public enum EndpointText {
    public enum Use: Sendable {
        /// Any endpoint. The port may be `*`: the system then picks a free one.
        case listening
        /// The port must be a number from 1 to 65535; the host may be `*`.
        case announcing
        /// The port must be a number from 1 to 65535, and the host one that can be reached.
        case connecting
    }

    /// The problem with `text`, as a clause without its subject and full stop ("lacks a port"); nil if there is none.
    public static func problem(with text: String, for use: Use) -> String? {
        if text.contains(where: \.isWhitespace) { return "holds white space, which no endpoint has" }
        for scheme in ["ipc://", "inproc://"] where text.hasPrefix(scheme) {
            return text.count > scheme.count ? nil : "lacks what comes after \(scheme)"
        }
        guard text.hasPrefix("tcp://") else { return "is no endpoint: " + hint(text) }
        guard let colon = text.lastIndex(of: ":"), colon >= text.index(text.startIndex, offsetBy: 6) else {
            return "lacks a port: write tcp://HOST:PORT"
        }
        let host = text[..<colon].dropFirst("tcp://".count)
        let port = text[text.index(after: colon)...]
        // The last colon is the one before the port, because an IPv6 address must stand in brackets.
        guard !host.isEmpty, !host.contains("/"), !host.contains(":") || host.hasPrefix("[") && host.hasSuffix("]")
        else { return "names no host: write tcp://HOST:PORT, an IPv6 address in brackets" }
        if host == "*", use == .connecting { return "names no host: * is for endpoints to listen on" }
        if port == "*", use == .listening { return nil }
        guard !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return "has no port: write a number from 1 to 65535"
        }
        guard let number = UInt16(port), number > 0 || use == .listening else {
            return "has a port that is not within 1 and 65535"
        }
        return nil
    }

    /// The most endpoints of one service.
    public static let most = 16

    /// The endpoints in `text`, separated by commas. A comma separates only before another scheme, because a path may
    /// contain one.
    public static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: [String]()) { list, piece in
            let trimmed = piece.drop { $0 == " " }
            guard let last = list.last, !trimmed.contains("://") else { return list.append(String(trimmed)) }
            list[list.count - 1] = "\(last),\(piece)"
        }
    }

    /// The problem with one or several endpoints to connect to, as a clause; nil if there is none.
    public static func problem(withList text: String) -> String? {
        let endpoints = list(text)
        if endpoints.count == 1 { return problem(with: text, for: .connecting) }
        if endpoints.count > most { return "names more than \(most) endpoints" }
        if Set(endpoints).count < endpoints.count { return "names an endpoint twice" }
        for endpoint in endpoints {
            if let problem = problem(with: endpoint, for: .connecting) {
                return "names \(endpoint.prefix(80)), which \(problem)"
            }
        }
        return nil
    }

    private static func hint(_ text: String) -> String {
        let digits = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        if digits, UInt16(text) != nil { return "write tcp://127.0.0.1:\(text)" }
        let hasPort = text.split(separator: ":").last.map { UInt16($0) != nil } ?? false
        if hasPort, !text.contains("/") { return "write tcp://\(text.prefix(80))" }
        if text.hasPrefix("/") { return "write ipc://\(text.prefix(80))" }
        return "write tcp://HOST:PORT or ipc://PATH"
    }
}
