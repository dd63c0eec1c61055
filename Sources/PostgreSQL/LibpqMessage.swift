// SPDX-License-Identifier: Apache-2.0

/// A message of libpq about a connection attempt or a lost connection.
struct LibpqMessage {
    let text: String

    init(_ text: String) { self.text = text }

    /// The first line of the message. The other lines are advice for people at a terminal.
    var firstLine: String {
        text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
    }

    /// The server's report if it refused the connection; nil otherwise. libpq then gives no access to the SQLSTATE. But
    /// with PQERRORS_VERBOSE the message contains it: the severity, which is translated, two spaces, the SQLSTATE, a
    /// colon, and the text.
    var refusal: PostgreSQLError.Report? {
        // If the URL has several hosts, each has a line. The last line is of the host that was tried last.
        for line in text.split(whereSeparator: \.isNewline).reversed() {
            if let match = line.firstMatch(of: #/:  ([0-9A-Z]{5}): (.*)/#) {
                return PostgreSQLError.Report(sqlstate: String(match.1), message: String(match.2))
            }
        }
        return nil
    }
}
