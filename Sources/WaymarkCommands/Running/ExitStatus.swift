// SPDX-License-Identifier: Apache-2.0

import WaymarkClient
import WaymarkProtocol

/// How a command ended, as the shell sees it. A closed set, and a promise to scripts.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    /// Also: refused because of what was asked (not found, another version, a value that breaks a rule).
    case failed = 1
    case usage = 2
    /// Nobody answers there. Nothing was done.
    case cannotConnect = 3
    /// No answer in time, whatever else was heard (whether a write was done is not known), or not from the revision that was asked for.
    case timedOut = 4
    /// Refused by the access rules.
    case denied = 5
    /// The changes asked for are compacted, of another epoch, or in the future.
    case historyGone = 6
    /// No version of the protocol in common.
    case protocolVersion = 7
    /// SIGINT.
    case interrupted = 130
    /// SIGPIPE: whoever read the output has gone.
    case readerGone = 141
    /// SIGTERM.
    case terminated = 143

    init(_ error: ClientError) {
        switch error {
        case .cannotConnect: self = .cannotConnect
        case .timedOut, .mayBeDone: self = .timedOut
        case .refused(let refusal): self.init(refusal.code)
        case .unreadableAnswer: self = .protocolVersion
        case .tooMany, .cancelled, .closed: self = .failed
        }
    }

    init(_ code: ErrorCode) {
        switch code {
        case .denied: self = .denied
        case .compacted, .epochChanged, .futureRevision: self = .historyGone
        case .protocolVersion: self = .protocolVersion
        case .notYet, .forgotten: self = .timedOut
        case .badFrame, .notFound, .versionMismatch, .tooLarge, .invalid, .requestConflict, .busy, .internal,
            .unknownCommand,
            .unavailable, .storageFull:
            self = .failed
        }
    }
}
