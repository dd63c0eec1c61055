// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

protocol WritingBench: ServiceBench {
    var confirmation: ConfirmationOptions { get }
    /// Whether this call of the test writes.
    var isWriting: Bool { get }
}

extension WritingBench {
    var isWriting: Bool { true }

    /// Asks the person, unless the services are the test's own and vanish with it.
    func consent(_ surroundings: Surroundings) throws -> BenchMark? {
        guard isWriting, !target.embedded else { return nil }
        var mark = BenchMark()
        let (endpoint, service) = (try target.service.endpoint(surroundings), target.service)
        if let connect = service.connect { mark.options += " --connect \(Self.quoted(connect))" }
        // The removal needs the user that wrote: one named for this call, or the test's own for a person without a
        // name.
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

    /// A word, quoted for a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ":/._-".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
