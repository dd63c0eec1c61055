// SPDX-License-Identifier: Apache-2.0

/// Why a row has no figures.
enum TableError: Error, CustomStringConvertible {
    /// The row needs a program that is not installed.
    case notInstalled(String)
    /// A started program does not work; with its log.
    case doesNotStart(String, log: String)
    /// Requests were refused; the number by error code.
    case refused([String: UInt64])
    case unreadable(String)

    var description: String {
        switch self {
        case .notInstalled(let what): "There is no \(what) on this machine."
        case .doesNotStart(let name, let log): "\(name) does not start: \(log)"
        case .refused(let codes):
            "Some operations failed: "
                + codes.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ") + "."
        case .unreadable(let whose): "The answer of \(whose) cannot be read."
        }
    }
}
