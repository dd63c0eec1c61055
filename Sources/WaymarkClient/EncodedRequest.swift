// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// A request in encoded form, with the properties that decide how it is sent.
struct EncodedRequest: Sendable {
    let body: [UInt8]
    let kind: RequestKind
    /// Whether the request may change something. A sign-in does not count, because it may be repeated.
    let isWrite: Bool
    /// Whether the request contains a typed password. If so, it is not sent again after a refusal: the person tries
    /// again.
    let isGuess: Bool

    init(_ request: WireRequest) {
        body = request.encoded
        kind = RequestKind(body: body)
        isWrite =
            switch request.command {
            case .ingest(let ingest)?: !ingest.dryRun
            case .signIn?: false
            default: kind.isWrite
            }
        isGuess = if case .signIn(let signIn)? = request.command { signIn.kind == .session } else { false }
    }

    /// Makes a request of a kind that only reads, from its encoded message.
    init(reading kind: RequestKind, _ message: WireWriter) {
        var request = WireWriter(expecting: message.bytes.count + 8)
        request.message(kind, message.bytes)
        (body, self.kind, isWrite, isGuess) = (request.bytes, kind, false, false)
    }

    /// Whether the request itself names a position. If so, the client adds none, which could hide that the named one is
    /// gone.
    var namesPosition: Bool { [.hello, .changes, .snapshot].contains(kind) }
}
