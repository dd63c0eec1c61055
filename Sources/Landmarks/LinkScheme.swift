// SPDX-License-Identifier: Apache-2.0

/// The schemes that a link may have.
///
/// Anybody can add a link, and others open it with a click. So only schemes are accepted that load a page or start an
/// e-mail. `javascript:` would run a stranger's code, and `file:` would open files on the reader's machine.
enum LinkScheme {
    private static let kept: Set<String> = ["http", "https", "mailto"]

    /// Returns the scheme of a link, in lower case, if the link must be refused; nil if the link may be kept.
    ///
    /// The link is parsed as browsers do (WHATWG URL, 4.4): they ignore control characters and spaces at the beginning,
    /// and tabs and newlines anywhere.
    static func refused(in link: String) -> String? {
        // The usual beginnings are accepted without parsing.
        if link.hasPrefix("https://") || link.hasPrefix("http://") { return nil }
        let text = link.unicodeScalars.drop { $0.value <= 0x20 }.filter { !"\t\n\r".unicodeScalars.contains($0) }
        guard let scheme = beginning(of: text) else { return nil }
        // `example.com:8080/x` is a host and a port, not a scheme.
        let port = text[text.index(after: scheme.endIndex)...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if (1...5).contains(port.count), port.allSatisfy({ (48...57).contains($0.value) }) { return nil }
        let name = String(String.UnicodeScalarView(scheme.prefix(40))).lowercased()
        return kept.contains(name) ? nil : name
    }

    /// Returns the text before the first colon if it is a scheme (RFC 3986, 3.1), such as `https` or `mailto`.
    static func beginning<Text: Collection<Unicode.Scalar>>(of text: Text) -> Text.SubSequence? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (48...57).contains($0.value) || "+-.".unicodeScalars.contains($0) })
        else { return nil }
        return scheme
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        (65...90).contains(scalar.value) || (97...122).contains(scalar.value)
    }
}
