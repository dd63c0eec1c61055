// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Rates

@Suite(.computing)
struct ExactDecimalTests {
    @Test(arguments: [
        ("0", "0"), ("100", "100"), ("-12.50", "-12.5"), ("0.1", "0.1"), (".5", "0.5"), ("+7", "7"),
        ("1e-5", "0.00001"),
        ("1.25E2", "125"), ("0.000", "0"), ("123456789012345678", "123456789012345678"),
        ("0.000000000000000001", "0.000000000000000001"),
    ])
    func reads(text: String, same: String) {
        #expect(ExactDecimal(text)?.description == same)
    }

    @Test(arguments: [
        "", "-", ".", "1.2.3", "1,000", "0x10", "1e", "1e999", "NaN", "inf", "١", " 1", "1234567890123456789", "1e18",
        "1e-9223372036854775808", "1e9223372036854775807", "--1", "1-", String(repeating: "0", count: 41),
    ])
    func refuses(text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test(arguments: [
        // Half away from zero, once, at the end.
        ("1", "1", "3", 2, "0.33"), ("2", "1", "3", 2, "0.67"), ("1", "1", "8", 2, "0.13"),
        ("-1", "1", "8", 2, "-0.13"),
        ("0.125", "1", "1", 2, "0.13"), ("0.1249999", "1", "1", 2, "0.12"), ("5", "1", "10", 0, "1"),
        ("0.1", "3", "1", 1, "0.3"), ("1e9", "0.000000001", "1", 0, "1"), ("100", "1", "0.62226", 2, "160.70"),
    ])
    func roundsOnce(amount: String, factor: String, divisor: String, places: Int, result: String) throws {
        let product = try #require(ExactDecimal(amount)).times(
            #require(ExactDecimal(factor)), over: #require(ExactDecimal(divisor)), places: places)
        #expect(product?.description == result)
    }

    @Test func tooLargeIsNil() throws {
        let most = ExactDecimal(units: 999_999_999_999_999_999, places: 0)
        let least = ExactDecimal(units: 1, places: 18)
        #expect(most.times(most, over: least, places: 0) == nil)
        #expect(most.times(most, over: ExactDecimal(units: 0, places: 0), places: 0) == nil)
    }
}
