// SPDX-License-Identifier: Apache-2.0

internal import WaymarkClient

/// The routes about currencies.
enum RatesRoutes {
    static let all: [WebRoute] = [rates, convert]

    private static let rates = WebRoute(
        method: .get, template: "/v1/rates", summary: "The price of one unit of a currency in the others.",
        parameters: [
            .init(name: "base", help: "The currency; AUD if it is left out.", schema: WebSchemas.currency)
        ],
        answers: [.json("Rates", in: WebSchemas.rates)]
    ) { context, request in
        let base = try request.query.currency("base") ?? .australianDollar
        let known = try await Problem.of { try await context.client.rates() }
        let rates = try known.rates.rates(for: base)
        return WebAnswer {
            $0.fields(rates, base: base, date: known.rates.date, age: known.age, problem: known.problem)
        }
    }

    private static let convert = WebRoute(
        method: .get, template: "/v1/convert",
        summary: "Convert a sum into another currency, rounded once to that currency's digits.",
        parameters: [
            .init(
                name: "amount", isRequired: true, help: "The sum, as a decimal number.", schema: WebSchemas.decimal),
            .init(name: "from", isRequired: true, help: "The sum's currency.", schema: WebSchemas.currency),
            .init(name: "to", help: "The currency to convert to; AUD if it is left out.", schema: WebSchemas.currency),
        ], answers: [.json("Conversion", in: WebSchemas.rates)]
    ) { context, request in
        let amount = try request.query.text("amount").flatMap { ExactDecimal($0) }.or(
            .invalid(
                "The parameter amount must be a number with a point and at most \(ExactDecimal.mostDigits) digits."))
        let from = try request.query.currency("from").or(
            .invalid("The parameter from is missing: give the code of a currency."))
        let to = try request.query.currency("to") ?? .australianDollar
        let known = try await Problem.of { try await context.client.rates() }
        let conversion = try known.rates.convert(amount, from: from, to: to)
        return WebAnswer { $0.fields(conversion) }
    }
}

extension WebQuery {
    fileprivate func currency(_ name: String) throws(Problem) -> CurrencyCode? {
        try value(name, "a currency's code of three letters, such as AUD") { CurrencyCode($0) }
    }
}

extension WebSchemas {
    static let rates = """
        "Rates":{"type":"object","required":["base","date","age_ms","problem","rates"],"properties":{\
        "base":\(currency),"date":\(day),"age_ms":\(whole),"problem":\(optionalText),"rates":{"type":"object",\
        "additionalProperties":{"type":"number","exclusiveMinimum":0}}}},\
        "Conversion":{"type":"object","required":["amount","from","to","result","rate","date"],"properties":{\
        "amount":{"type":"number"},"from":\(currency),"to":\(currency),"result":{"type":"number"},\
        "rate":{"type":["number","null"]},"date":\(day)}}
        """
}
