// SPDX-License-Identifier: Apache-2.0

/// The reason why a source could not be read, and its address without user, password and query.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    public var location: SourceLocation
    public var reason: Reason

    /// The address and the reason in one sentence for people.
    public var description: String { "\(location): \(reason)" }

    public enum Reason: Error, Hashable, Sendable {
        case fileNotFound
        /// The file cannot be read. The text is the system's description of the error.
        case fileUnreadable(String)
        /// The path leads to a folder, device, pipe or socket.
        case notRegularFile
        /// The body has more bytes than allowed. `announced` is the size that the server announced; nil if none.
        case tooLarge(limit: Int, announced: Int?)
        /// An HTTP status other than success. `retryAfter` is the wait that the server asks for; nil if it asks for
        /// none.
        case status(Int, retryAfter: Duration?)
        case tooManyRedirects(limit: Int)
        case redirectRefused(String)
        /// The address of a redirect or of a hook leads to this machine or network, which not all the world can reach.
        case notPublic(String)
        /// The body is compressed although the request forbade that.
        case encoded(String)
        case timedOut(Duration)
        /// The connection failed. The text describes the error in the layer that failed.
        case connection(String)
        /// The server has no valid certificate. The text is that of the TLS library.
        case untrusted(String)
        /// The connection ended before the whole body had arrived.
        case cutOff
        /// libcurl cannot be loaded. The text is that of the dynamic linker.
        case noLibrary(String)
        case cancelled
    }
}

extension FetchError.Reason: CustomStringConvertible {
    /// Whether the same request may succeed soon.
    var isRetryable: Bool {
        switch self {
        case .status(let code, _): code == 408 || code == 429 || (500...599).contains(code)
        case .timedOut, .connection, .cutOff: true
        case .fileNotFound, .fileUnreadable, .notRegularFile, .tooLarge, .tooManyRedirects, .redirectRefused,
            .notPublic,
            .encoded, .untrusted, .noLibrary, .cancelled:
            false
        }
    }

    /// The wait that the server asked for; nil if it asked for none.
    var retryAfter: Duration? {
        if case .status(_, let retryAfter) = self { retryAfter } else { nil }
    }

    /// The reason in one sentence for people.
    public var description: String {
        switch self {
        case .fileNotFound: "There is no such file."
        case .fileUnreadable(let why): "The file cannot be read: \(why)."
        case .notRegularFile: "This is not a regular file: give the path of one."
        case .tooLarge(let limit, nil): "The body is larger than the limit of \(limit) bytes: it was discarded."
        case .tooLarge(let limit, let announced?):
            "The body of \(announced) bytes is larger than the limit of \(limit): it was not read."
        case .status(let code, let retryAfter): Self.sentence(status: code, retryAfter: retryAfter)
        case .tooManyRedirects(let limit): "The server redirected more than \(limit) times: check the address."
        case .redirectRefused(let why): "A redirect was not followed: \(why)."
        case .notPublic(let host):
            "The address leads to \(host), which is no public address, so nothing was sent there: if that is right, "
                + "give a source this address itself, or name it in hooks.allow for a hook."
        case .encoded(let encoding):
            "The server sent the body packed as \(encoding) although it was asked not to: it was not read."
        case .timedOut(let limit): "The answer was not complete within \(limit): try again, or allow it more time."
        case .connection(let why): "The server cannot be reached: \(why)."
        case .untrusted(let why):
            "The server's certificate is not trusted (\(why)): check the address, or name a file with the certificate of "
                + "its authority in SSL_CERT_FILE."
        case .cutOff: "The connection ended before the body did: try again."
        case .noLibrary(let why):
            "libcurl cannot be loaded (\(why)): install its package, such as Debian's libcurl4."
        case .cancelled: "The fetch was cancelled."
        }
    }

    private static func sentence(status code: Int, retryAfter: Duration?) -> String {
        let answer = "The server answered \(code)" + (StatusPhrase.all[code].map { " \($0)" } ?? "")
        if let retryAfter { return "\(answer) and asks for a pause of \(retryAfter.components.seconds) seconds." }
        return switch code {
        case 301...303, 307, 308: "\(answer), but no redirect is followed here: give the address to which it leads."
        case 401, 403: "\(answer): check the credentials."
        case 404, 410: "\(answer): check the address."
        case 408, 429, 500...599: "\(answer): try again later."
        default: "\(answer)."
        }
    }
}
