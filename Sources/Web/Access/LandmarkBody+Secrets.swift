// SPDX-License-Identifier: Apache-2.0

// Bodies with a password. Their routes read all values with `secret`, because no error of it quotes a value.
extension LandmarkBody {
    /// The maximum size of a body with a password in bytes. It is low because anybody can send one without signing in.
    static let secretBytes = 8_192
    /// The maximum size of one value in bytes, which is larger than any name, password or code.
    private static let mostOfOne = 1_024

    /// Returns the text of a member, which has 1 to 1,024 bytes.
    ///
    /// - Parameter absent: the value if the body does not have the member; nil if the member is required.
    func secret(_ name: String, or absent: String? = nil) throws(Problem) -> String {
        let text = try value(name, "a text of 1 to \(Self.mostOfOne) bytes") { given -> String? in
            given.string.flatMap { (1...Self.mostOfOne).contains($0.utf8.count) ? $0 : nil }
        }
        return try (text ?? absent).or(.invalid("The body lacks \(name)."))
    }
}
