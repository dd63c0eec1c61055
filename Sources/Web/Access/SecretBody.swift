// SPDX-License-Identifier: Apache-2.0

internal import JSON

/// The body of a request that has a password: an object of texts. No error repeats one of them.
struct SecretBody {
    /// The limit of the whole body: a stranger must not make the service hold more.
    private static let mostBytes = 8_192
    /// The limit of one text: no name, password or code is longer.
    private static let mostOfOne = 1_024
    private let members: [JSONMember]

    init(_ request: WebRequest, _ names: Set<String>) async throws(Problem) {
        let members = try await request.json(upTo: Self.mostBytes)
        guard members.allSatisfy({ names.contains($0.name) }), Set(members.map(\.name)).count == members.count else {
            throw Problem.invalid(
                "The body must have \(names.sorted().joined(separator: ", ")), each once, and nothing else.")
        }
        self.members = members
    }

    /// - Parameter absent: the value if the body lacks the text; nil makes the text required.
    func text(_ name: String, or absent: String? = nil) throws(Problem) -> String {
        guard let member = members.first(where: { $0.name == name }) else {
            if let absent { return absent }
            throw Problem.invalid("The body lacks \(name).")
        }
        guard case .string(let text) = member.value, !text.isEmpty, text.utf8.count <= Self.mostOfOne else {
            throw Problem.invalid("The field \(name) must be a text of 1 to \(Self.mostOfOne) bytes.")
        }
        return text
    }
}
