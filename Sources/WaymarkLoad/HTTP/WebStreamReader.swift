// SPDX-License-Identifier: Apache-2.0

/// Reads an answer of `/v1/changes`, which has no end.
public struct WebStreamReader: Sendable {
    private var reply = HTTPReplyReader(mostBody: nil)
    private var events: WebEventReader

    /// - Parameter names: the names of the landmarks whose numbers are read; nil if none are.
    public init(_ names: WrittenNames?) { events = WebEventReader(names) }

    /// Reads bytes of the connection.
    ///
    /// - Parameter tell: called with each event except the end.
    /// - Throws: ``HTTPLoadError`` for a refusal, for the end of the stream, and for bytes that cannot be read.
    public mutating func read(_ bytes: UnsafeRawBufferPointer, _ tell: (WebEvent) -> Void) throws(HTTPLoadError) {
        var place = 0
        while let piece = try reply.next(bytes, &place) {
            switch piece {
            case .head(200): break
            case .head(let status): throw .status(status)
            case .body(let part):
                var offset = 0
                while let event = try events.next(part, &offset) {
                    if event == .ended { throw .ended }
                    tell(event)
                }
            case .whole: throw .closed
            }
        }
    }
}
