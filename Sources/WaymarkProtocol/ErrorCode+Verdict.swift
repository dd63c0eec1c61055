// SPDX-License-Identifier: Apache-2.0

extension ErrorCode {
    /// Whether every copy of a write gets this refusal, so that none of them was done. That holds for refusals that depend
    /// on the bytes of the write alone, and for those that storage remembers. It holds for a wrong password too: to a copy
    /// of a change that was done the new password counts as right. Any other refusal is about one copy of the write, or
    /// about the state of the service at that moment.
    public var isVerdict: Bool {
        switch self {
        case .badFrame, .denied, .notFound, .versionMismatch, .tooLarge, .invalid, .wrongPassword: true
        default: false
        }
    }
}
