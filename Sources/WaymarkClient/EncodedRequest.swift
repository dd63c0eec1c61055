// SPDX-License-Identifier: Apache-2.0

import WaymarkProtocol

/// A request as it is sent, and what has to be known of it on the way.
struct EncodedRequest: Sendable {
    let body: [UInt8]
    let kind: RequestKind
    /// Whether it may change something. A sign-in counts as none: it may be repeated, whatever became of it.
    let isWrite: Bool
    /// Whether it has a password that was typed by somebody: whoever guesses waits, not this client.
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

    /// Whether it names its own position. Another one must not hide that the named position is gone.
    var namesPosition: Bool { [.hello, .changes, .snapshot].contains(kind) }
}
