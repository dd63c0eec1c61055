// SPDX-License-Identifier: Apache-2.0

/// Reads the times of position receivers.
package enum ReportTime {
    /// Reads a number, or a text: seconds since 1970, from 1e11 on milliseconds, or RFC 3339, whose offset may lack its
    /// colon as in ISO 8601 (`-0700`).
    ///
    /// - Returns: Unix milliseconds; nil if the value is no time.
    package static func milliseconds(_ value: JSONValue) -> UInt64? {
        if let number = value.numeric {
            guard 0..<1e15 ~= number else { return nil }
            return UInt64((number < 1e11 ? number * 1_000 : number).rounded())
        }
        // No time is so long, and searching a long text would take long.
        guard case .string(let text) = value, text.utf8.count <= 64 else { return nil }
        let offset = /([+-]\d\d)(\d\d)$/.asciiOnlyDigits()
        return Timestamp.milliseconds(rfc3339: text.replacing(offset) { "\($0.output.1):\($0.output.2)" })
    }
}

extension JSONValue {
    /// The value as a number. Some apps write numbers as strings.
    package var numeric: Double? {
        let digits: String
        switch self {
        case .number(let text): digits = text
        // A text such as "nan" or "0x1" is no number here.
        case .string(let text) where text.utf8.allSatisfy({ $0 < 0x3a }): digits = text
        default: return nil
        }
        return Double(digits).flatMap { $0.isFinite ? $0 : nil }
    }
}
