// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import Ingest
import WaymarkClient

/// The source of a command's exchange rates.
struct RatesOptions: ParsableArguments {
    @Option(
        .text("file|url", completion: .file()),
        "Rates from a file, or an https:, http: or file: URL, instead of the service's.")
    var rates: String?

    func location() throws -> SourceLocation? { try rates.map { try SourceLocation($0) } }

    func validate() throws { try checked { _ = try location() } }
}

/// The exchange rates for a command, and the values for a notice about their age.
struct KnownRates {
    /// The maximum age in days that is normal: no new rates are published on weekends and holidays.
    private static let oldest = 4

    let rates: ExchangeRates
    /// The milliseconds since the service's source last answered; nil for rates that this command has just fetched.
    var age: UInt64?
    var problem: String?

    /// Returns a sentence that says that the rates are old; nil if they are not.
    func remark(today: RatesDate) -> String? {
        let days = today.days - rates.date.days
        guard days > Self.oldest else { return nil }
        return "The rates are \(days) days old (\(rates.date))\(problem == nil ? "." : ": \(problem ?? "")")"
    }
}

extension Session {
    /// Returns the service's rates, or the rates from the given file or address.
    func rates(_ options: RatesOptions) async throws -> KnownRates {
        guard let location = try options.location() else {
            let answer = try await client.rates()
            return KnownRates(rates: answer.rates, age: answer.age, problem: answer.problem)
        }
        do {
            let request = FetchRequest(
                location: location, limits: FetchLimits(timeout: timeout, maxBytes: RatesReader.mostBytes))
            guard case .fetched(let body) = try await SourceFetcher().fetch(request) else {
                throw Failure("source", "The source of the rates sent an empty answer: try again.")
            }
            return KnownRates(rates: try RatesReader.read(body.bytes))
        } catch  where error is FetchError || error is RatesFormatError {
            throw Failure("source", "\(error)")
        }
    }

    /// Prints a notice if the rates are old.
    func tell(_ known: KnownRates) {
        let today = RatesDate(unixSeconds: Int(Date().timeIntervalSince1970))
        if let remark = known.remark(today: today) {
            output.notice("old_rates", remark) { $0.field("date", known.rates.date.description) }
        }
    }
}

extension Values {
    static func currency(_ text: String) throws -> CurrencyCode {
        try CurrencyCode(text).orBad("\"\(text)\" is no currency: give a code of three letters, such as AUD.")
    }

    static func amount(_ text: String) throws -> ExactDecimal {
        try ExactDecimal(text).orBad(
            "\"\(text)\" is no amount: give a number with a point and at most \(ExactDecimal.mostDigits) digits.")
    }
}
