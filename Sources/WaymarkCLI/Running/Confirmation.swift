// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WaymarkJSON

/// Asks before a command does something that cannot be undone.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    /// Returns if the person confirms with --yes or on the terminal; otherwise throws.
    ///
    /// - Parameter question: a sentence that says what will be done, and asks whether to do it.
    func confirm(_ question: String, _ surroundings: Surroundings = .current) throws(Failure) {
        if yes { return }
        let ask = try surroundings.ask.or(
            .usage("\(question) There is no terminal to answer on: add --yes to confirm."))
        let answer = ask("\(Escaping.visible(question)) [y/N] ")?.lowercased().filter { !$0.isWhitespace }
        guard answer == "y" || answer == "yes" else {
            throw Failure("not_confirmed", "Nothing was done.")
        }
    }
}
