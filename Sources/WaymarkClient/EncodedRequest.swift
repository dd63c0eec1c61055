// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// A request as it is sent, with the properties that matter on the way.
struct EncodedRequest: Sendable {
    let body: [UInt8]
    let kind: RequestKind
    /// Whether the request may change something. A sign-in does not count: it may be repeated, whatever its outcome.
    let isWrite: Bool
    /// Whether the request has a typed password. Such a request is not repeated after a refusal: the person waits
    /// instead.
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

    /// Whether the request names its own position. The client adds none then: it could hide that the named position is
    /// gone.
    var namesPosition: Bool { [.hello, .changes, .snapshot].contains(kind) }
}
