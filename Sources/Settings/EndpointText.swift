// SPDX-License-Identifier: Apache-2.0

/// Checks the syntax of ZeroMQ endpoints. The rules are the same in flags, files and variables. libzmq cannot be relied
/// on, because it takes ports modulo 65,536 and accepts some texts that are no endpoints.
public enum EndpointText {
    public enum Use: Sendable {
        /// An endpoint to listen on. The port may be `*`, with which the system chooses a free port.
        case listening
        /// An endpoint to announce. The port must be a number from 1 to 65535; the host may be `*`.
        case announcing
        /// An endpoint to connect to. The port must be a number from 1 to 65535, and the host must not be `*`.
        case connecting
    }

    /// Returns the problem with `text`, as a clause without a subject ("lacks a port"); nil if there is none.
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
        // The last colon is before the port, because an IPv6 address must be in brackets.
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

    /// The maximum number of endpoints of one service.
    public static let most = 16

    /// Splits `text` into endpoints at its commas. A comma separates only before a scheme, because a path may contain
    /// commas.
    public static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: [String]()) { list, piece in
            let trimmed = piece.drop { $0 == " " }
            guard let last = list.last, !trimmed.contains("://") else { return list.append(String(trimmed)) }
            list[list.count - 1] = "\(last),\(piece)"
        }
    }

    /// Returns the problem with one or several endpoints to connect to, as a clause; nil if there is none.
    public static func problem(withList text: String) -> String? {
        let endpoints = list(text)
        if endpoints.count == 1 { return problem(with: text, for: .connecting) }
        if endpoints.count > most { return "names more than \(most) endpoints" }
        if Set(endpoints).count < endpoints.count { return "names an endpoint twice" }
        return endpoints.lazy.compactMap { endpoint in
            Self.problem(with: endpoint, for: .connecting).map { "names \(endpoint.prefix(80)), which \($0)" }
        }.first
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
