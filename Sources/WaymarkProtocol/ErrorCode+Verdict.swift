// SPDX-License-Identifier: Apache-2.0

extension ErrorCode {
    /// Whether every copy of a write gets this refusal, so that none of them was done. That holds for refusals that depend
    /// on the bytes of the write alone, and for those that storage remembers. Any other refusal is about one copy of the
    /// write, or about the state of the service at that moment. A copy that comes after one that was done never has a wrong
    /// password: the new one counts as right too.
    public var isVerdict: Bool {
        switch self {
        case .badFrame, .denied, .notFound, .versionMismatch, .tooLarge, .invalid, .wrongPassword: true
        default: false
        }
    }
}
