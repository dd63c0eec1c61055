// SPDX-License-Identifier: Apache-2.0

/// Why a row has no figures.
enum TableError: Error, CustomStringConvertible {
    /// It needs a program that is not there.
    case notInstalled(String)
    /// A program that was started does not do its work; its log.
    case doesNotStart(String, log: String)
    /// What was asked for was refused; how often, by code.
    case refused([String: UInt64])
    case unreadable(String)

    var description: String {
        switch self {
        case .notInstalled(let what): "There is no \(what) on this machine."
        case .doesNotStart(let name, let log): "\(name) does not start: \(log)"
        case .refused(let codes):
            "Not everything was done: "
                + codes.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ") + "."
        case .unreadable(let whose): "The answer of \(whose) cannot be read."
        }
    }
}
