// SPDX-License-Identifier: Apache-2.0

import Ingest
import QueryService

/// The exchange rates of `up` without a `config/query.yaml`, so that `convert` works without a network. They are the
/// rates of one day, which every converted amount shows. They are compiled in: the program may run in any folder.
enum DefaultRates {
    /// The contents of `config/rates.json`. A test checks that this text and the file are equal.
    static let text = #"""
        {
          "source": "European Central Bank, euro foreign exchange reference rates",
          "base": "EUR",
          "date": "2026-10-30",
          "rates": {
            "AUD": 1.5904, "BRL": 6.0692, "CAD": 1.5606, "CHF": 0.9194, "CNY": 7.4326, "CZK": 24.353, "DKK": 7.4735,
            "GBP": 0.8338, "HKD": 8.7652, "HUF": 366.33, "IDR": 20275.17, "ILS": 3.495, "INR": 106.084, "ISK": 136,
            "JPY": 175.68, "KRW": 1491.76, "MXN": 21.1237, "MYR": 4.5325, "NOK": 10.312, "NZD": 1.9823,
            "PHP": 71.143, "PLN": 4.4038, "RON": 5.3447, "SEK": 10.978, "SGD": 1.4282, "THB": 37.683, "TRY": 55.8015,
            "USD": 1.1172, "ZAR": 18.6455
          }
        }

        """#

    static func source(in directory: String) throws -> RatesSource {
        RatesSource(location: try SourceLocation(DefaultSource.write(text, as: "rates.json", in: directory)))
    }
}
