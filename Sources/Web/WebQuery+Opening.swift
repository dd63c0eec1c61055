// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient
internal import WaymarkJSON

extension WebQuery {
    /// What `open` and `hours` ask for; nil without both.
    func opening() throws(Problem) -> OpeningQuestion? {
        guard text("open") == nil || text("hours") == nil else {
            throw Problem.invalid("The parameters open and hours exclude each other: open tells the hours, too.")
        }
        if text("open") != nil { return OpeningQuestion(at: try moment("open"), isFilter: true) }
        return text("hours") == nil ? nil : OpeningQuestion(at: try moment("hours"))
    }

    /// Nil for `now`; else Unix milliseconds.
    private func moment(_ name: String) throws(Problem) -> UInt64? {
        guard text(name) != "now" else { return nil }
        return try time(name, or: "now, or ")
    }

    /// A time of RFC 3339 in Unix milliseconds; nil without the parameter.
    ///
    /// - Parameter others: the other values that the parameter may have, for the error.
    func time(_ name: String, or others: String = "") throws(Problem) -> UInt64? {
        guard let text = text(name) else { return nil }
        // 0 is the moment of the request.
        guard let moment = Timestamp.milliseconds(rfc3339: text), moment > 0 else {
            throw Problem.invalid("The parameter \(name) is \(others)a time of RFC 3339 such as 2026-03-01T09:30:00Z.")
        }
        return moment
    }

    func rank() throws(Problem) -> NearRank {
        guard let text = text("rank") else { return .distance }
        guard let rank = NearRank(rawValue: text) else {
            throw Problem.invalid("The parameter rank is distance or prominence.")
        }
        return rank
    }
}
