// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Ingest
import Rates

/// A file with the rates that were fetched last, so that a service has rates even if it starts while their source is
/// unreachable.
struct KeptRates {
    let path: String

    /// Returns the rates and the file's age in milliseconds; nil if there is no readable file.
    func read() -> (rates: ExchangeRates, age: UInt64)? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= RatesReader.mostBytes,
            let bytes = try? Data(contentsOf: URL(filePath: path)), let rates = try? RatesReader.read([UInt8](bytes))
        else { return nil }
        let age = max(0, time(nil) - max(0, facts.st_mtim.tv_sec))
        return (rates, UInt64(min(age, 1 << 40)) * 1_000)
    }

    /// Writes a new file and puts it in the place of the old one.
    func write(_ rates: ExchangeRates) throws {
        // The values need no escaping: currency codes are letters and rates are digits.
        let members = rates.rates.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        let text =
            "{\"base\": \"\(rates.base)\", \"date\": \"\(rates.date)\", \"rates\": {\(members.joined(separator: ", "))}}\n"
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
