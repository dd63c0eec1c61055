// SPDX-License-Identifier: Apache-2.0

internal import Rates
internal import WaymarkClient
internal import WaymarkJSON

/// The routes about currencies.
enum RatesRoutes {
    static let all: [WebRoute] = [rates, convert]

    private typealias Parameter = WebRoute.Parameter

    private static let rates = WebRoute(
        method: .get, template: "/v1/rates", summary: "What one unit of a currency costs in the others.",
        parameters: [
            Parameter(name: "base", help: "The currency; AUD if it is left out.", schema: WebSchemas.currency)
        ],
        answers: [.json("Rates")]
    ) { context, request, _ throws(Problem) in
        let base = try request.query.currency("base") ?? .australianDollar
        let known = try await Problem.of { () throws(ClientError) in try await context.client.rates() }
        let rates = try Problem.ofConversion { () throws(ConversionError) in try known.rates.rates(for: base) }
        return WebAnswer(
            json: JSONWriter.line {
                $0.fields(rates, base: base, date: known.rates.date, age: known.age, problem: known.problem)
            })
    }

    private static let convert = WebRoute(
        method: .get, template: "/v1/convert", summary: "A sum in another currency, rounded once to its digits.",
        parameters: [
            Parameter(
                name: "amount", isRequired: true, help: "The sum, as a decimal number.", schema: WebSchemas.decimal),
            Parameter(name: "from", isRequired: true, help: "Its currency.", schema: WebSchemas.currency),
            Parameter(name: "to", help: "The other currency; AUD if it is left out.", schema: WebSchemas.currency),
        ], answers: [.json("Conversion")]
    ) { context, request, _ throws(Problem) in
        guard let amount = request.query.text("amount").flatMap({ ExactDecimal($0) }) else {
            throw Problem.invalid(
                "The parameter amount is a number with a point and at most \(ExactDecimal.mostDigits) digits.")
        }
        guard let from = try request.query.currency("from") else {
            throw Problem.invalid("The parameter from is missing: give the code of a currency.")
        }
        let to = try request.query.currency("to") ?? .australianDollar
        let known = try await Problem.of { () throws(ClientError) in try await context.client.rates() }
        let conversion = try Problem.ofConversion { () throws(ConversionError) in
            try known.rates.convert(amount, from: from, to: to)
        }
        return WebAnswer(json: JSONWriter.line { $0.fields(conversion) })
    }
}

extension WebQuery {
    fileprivate func currency(_ name: String) throws(Problem) -> CurrencyCode? {
        guard let text = text(name) else { return nil }
        guard let code = CurrencyCode(text) else {
            throw Problem.invalid("The parameter \(name) is a currency's code of three letters, such as AUD.")
        }
        return code
    }
}

extension Problem {
    fileprivate static func ofConversion<Answer>(
        _ body: () throws(ConversionError) -> Answer
    ) throws(Problem) -> Answer {
        do { return try body() } catch {
            switch error {
            case .unknown(let currency):
                throw Problem.invalid("There is no rate for \(currency): /v1/rates lists those that there are.")
            case .tooLarge: throw Problem.invalid(error.description)
            }
        }
    }
}
