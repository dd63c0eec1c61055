// SPDX-License-Identifier: Apache-2.0

/// The body of a request with a password: all its values are strings. No error quotes a value.
extension LandmarkBody {
    /// The maximum size of such a body in bytes. It is low because anybody can send one without signing in.
    static let secretBytes = 8_192
    /// The maximum size of one value in bytes, which is larger than any name, password or code.
    private static let mostOfOne = 1_024

    /// - Parameter absent: the value if the body does not have the member; nil if the member is required.
    func secret(_ name: String, or absent: String? = nil) throws(Problem) -> String {
        let text = try value(name, "a text of 1 to \(Self.mostOfOne) bytes") { given -> String? in
            given.string.flatMap { (1...Self.mostOfOne).contains($0.utf8.count) ? $0 : nil }
        }
        return try (text ?? absent).or(.invalid("The body lacks \(name)."))
    }
}
