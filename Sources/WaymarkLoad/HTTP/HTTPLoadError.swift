// SPDX-License-Identifier: Apache-2.0

/// Why an HTTP interface cannot be tested.
public enum HTTPLoadError: Error, Hashable, CustomStringConvertible {
    /// No connection to this address can be made.
    case nobody(String)
    case closed
    case brokenReply
    case noAnswer
    /// The answer has this status.
    case status(Int)
    /// The stream was ended by the service with an event.
    case ended

    /// Whether the service does not let this client in.
    public var isRefusal: Bool { [.status(401), .status(403)].contains(self) }

    public var description: String {
        switch self {
        case .nobody(let address):
            "Nobody listens at http://\(address), or there is no way to it: start waymark up or waymark-query with "
                + "web.listen first, or check the address."
        case .closed: "The HTTP interface closed a connection."
        case .brokenReply: "An answer is not HTTP/1.1 as it should be: check that the address is the HTTP interface."
        case .noAnswer: "No answer over HTTP came in time."
        case .status(401):
            "The HTTP interface asks for a key: make one with \"waymark keys new FILE --http\", and give --token FILE."
        case .status(let status): "The HTTP interface refused a request with the status \(status)."
        case .ended: "The HTTP interface ended a stream: its key has ended, or the collection was put back."
        }
    }
}
