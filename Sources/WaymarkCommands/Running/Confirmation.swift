// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// For what cannot be taken back.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Do not ask whether it is meant.")
    var yes = false

    /// Returns when it is meant: said beforehand, or answered on a terminal.
    ///
    /// - Parameter question: one sentence that says what would be done, and asks.
    func confirm(_ question: String, _ surroundings: Surroundings = .current) throws(Failure) {
        if yes { return }
        guard let ask = surroundings.ask else {
            throw .usage("\(question) Nobody can be asked here: say --yes if it is meant.")
        }
        let answer = ask("\(Escaping.visible(question)) [y/N] ")?.lowercased().filter { !$0.isWhitespace }
        guard answer == "y" || answer == "yes" else {
            throw Failure(.failed, "not_confirmed", "Nothing was done.")
        }
    }
}
