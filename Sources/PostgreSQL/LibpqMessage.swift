// SPDX-License-Identifier: Apache-2.0

/// A message of libpq about a connection.
struct LibpqMessage {
    let text: String

    init(_ text: String) { self.text = text }

    /// The first line. The rest is advice for people at a terminal.
    var firstLine: String {
        text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
    }

    /// The server's report if it refused the connection. libpq gives no access to the SQLSTATE then. With
    /// PQERRORS_VERBOSE its message has it: the severity, which is translated, two spaces, the SQLSTATE, a colon, and
    /// the message.
    var refusal: PostgreSQLError.Report? {
        // With several hosts there is a line for each. The last line is of the host that was tried last.
        for line in text.split(whereSeparator: \.isNewline).reversed() {
            if let match = line.firstMatch(of: #/:  ([0-9A-Z]{5}): (.*)/#) {
                return PostgreSQLError.Report(sqlstate: String(match.1), message: String(match.2))
            }
        }
        return nil
    }
}
