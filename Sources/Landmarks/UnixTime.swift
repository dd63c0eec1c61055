// SPDX-License-Identifier: Apache-2.0

/// Times from outside, in Unix milliseconds. They are bounded where they are decoded, so that no calculation with them
/// can overflow.
public enum UnixTime {
    /// The end of the year 9999, the last time that RFC 3339 can write.
    public static let latest: UInt64 = 253_402_300_799_999

    /// - Parameter what: the thing that has the time, for the error.
    /// - Throws: ``InvalidInput/outOfRange(_:_:)``.
    public static func checked(_ time: UInt64, _ what: String) throws(InvalidInput) -> UInt64 {
        guard time <= latest else { throw .outOfRange(what, "up to the year 9999") }
        return time
    }
}
