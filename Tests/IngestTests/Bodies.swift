// SPDX-License-Identifier: Apache-2.0

import Ingest
import Landmarks

extension SourceFormat {
    /// Reads a body from text.
    func rows(in text: String) throws(SourceFormatError) -> SourceRows {
        try rows(in: Array(text.utf8))
    }

    /// The error of the whole body; nil if there is none.
    func problem(with text: String) -> SourceFormatError? {
        problem(with: Array(text.utf8))
    }

    func problem(with body: [UInt8]) -> SourceFormatError? {
        do {
            _ = try rows(in: body)
            return nil
        } catch {
            return error
        }
    }
}

extension SourceRows {
    var keys: [String] { rows.map(\.key) }
    var names: [String] { rows.map(\.draft.name) }
    var reasons: [String] { rejected.map(\.reason) }

    /// Place and reason of each rejected row.
    var refusals: [String] { rejected.map { "\($0.place): \($0.reason)" } }
}
