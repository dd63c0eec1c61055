// SPDX-License-Identifier: Apache-2.0

internal import JSON

/// The body of a request with a password: an object whose values are strings. No error quotes a value.
struct SecretBody {
    /// The maximum size of the body in bytes. It is low because anybody can send one without signing in.
    private static let mostBytes = 8_192
    /// The maximum size of one value in bytes, which is larger than any name, password or code.
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

    /// - Parameter absent: the value if the body does not have the member; nil if the member is required.
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
