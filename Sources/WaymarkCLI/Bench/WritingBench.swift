// SPDX-License-Identifier: Apache-2.0

protocol WritingBench: ServiceBench {
    var confirmation: ConfirmationOptions { get }
    /// Whether this test writes with the options that the person gave.
    var isWriting: Bool { get }
}

extension WritingBench {
    var isWriting: Bool { true }

    /// Asks the person for consent to write into a shared collection.
    ///
    /// - Returns: the mark of what the test will write; nil if the test leaves nothing behind, as in services that it
    ///   has started itself.
    func consent(_ surroundings: Surroundings) throws -> BenchMark? {
        guard isWriting, !target.embedded else { return nil }
        var mark = BenchMark()
        let (endpoint, service) = (try target.service.endpoint(surroundings), target.service)
        if let connect = service.connect { mark.options += " --connect \(Self.quoted(connect))" }
        // The removal must be done by the user who wrote: the user named on the command line, or the test's own user if
        // the person has no name.
        if let user = service.user {
            mark.options += " --as \(Self.quoted(user))"
        } else if try service.user(surroundings, isNeeded: false).isEmpty {
            mark.options += " --as \(BenchService.nobody)"
        }
        try confirmation.confirm(
            "The test adds landmarks to the collection at \(endpoint), which stay until \"\(mark.removal)\" removes "
                + "them. Continue?", surroundings)
        return mark
    }

    /// Quotes a word for a shell if necessary.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":/._-".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
