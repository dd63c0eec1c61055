// SPDX-License-Identifier: Apache-2.0

/// Limits for times in Unix milliseconds that come from outside. They are checked where they are decoded, so that no
/// calculation with them can overflow.
public enum UnixTime {
    /// The end of the year 9999, which is the latest time that RFC 3339 can express.
    public static let latest: UInt64 = 253_402_300_799_999

    /// - Parameter what: the name of the time, for the error.
    /// - Throws: ``InvalidInput/outOfRange(_:_:)``.
    public static func checked(_ time: UInt64, _ what: String) throws(InvalidInput) -> UInt64 {
        guard time <= latest else { throw .outOfRange(what, "up to the year 9999") }
        return time
    }
}
