// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text escaped for HTML and XML, including values of attributes in double quotes.
    package var inHTML: String {
        // `replacing` would not find a mark with a combining character after it.
        let marks: [Unicode.Scalar: String] = ["&": "&amp;", "\"": "&quot;", "<": "&lt;", ">": "&gt;"]
        return unicodeScalars.map { marks[$0] ?? String($0) }.joined()
    }
}
