// SPDX-License-Identifier: Apache-2.0

extension ErrorCode {
    /// Whether it is decided by the bytes of a write, or by what is stored and then remembered: then every copy of the
    /// write gets this refusal, so none of them was done. Any other says something of one copy, or of the service as it
    /// is by now.
    public var isVerdict: Bool {
        switch self {
        case .badFrame, .denied, .notFound, .versionMismatch, .tooLarge, .invalid: true
        default: false
        }
    }
}
