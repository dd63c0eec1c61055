// SPDX-License-Identifier: Apache-2.0

extension String {
    private static let marks: [Unicode.Scalar: String] = ["&": "&amp;", "\"": "&quot;", "<": "&lt;", ">": "&gt;"]

    /// The text escaped for HTML and XML, including values of attributes in double quotes.
    // `replacing` would not find a mark with a combining character after it.
    package var inHTML: String { unicodeScalars.map { Self.marks[$0] ?? String($0) }.joined() }
}
