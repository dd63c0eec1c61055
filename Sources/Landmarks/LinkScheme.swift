// SPDX-License-Identifier: Apache-2.0

/// What a link may lead to.
///
/// Links come from anybody and are followed by a click, so that only schemes are kept that load a page or begin a
/// letter: `javascript:` would run what a stranger wrote, `file:` and others open what is on the reader's machine.
enum LinkScheme {
    private static let kept: Set<String> = ["http", "https", "mailto"]

    /// The scheme of a link that may not be kept, in lower case; nil when it may.
    ///
    /// It is read as a browser does (WHATWG URL, 4.4): control characters and spaces at the beginning, and tabs and
    /// newlines anywhere, are passed over.
    static func refused(in link: String) -> String? {
        // Nearly every link.
        if link.hasPrefix("https://") || link.hasPrefix("http://") { return nil }
        let text = link.unicodeScalars.drop { $0.value <= 0x20 }.filter { !"\t\n\r".unicodeScalars.contains($0) }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, isLetter(first),
            scheme.allSatisfy({ isLetter($0) || (48...57).contains($0.value) || "+-.".unicodeScalars.contains($0) })
        else { return nil }
        // A host and a port, example.com:8080/x, have no scheme.
        let port = text[text.index(after: colon)...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if (1...5).contains(port.count), port.allSatisfy({ (48...57).contains($0.value) }) { return nil }
        let name = String(String.UnicodeScalarView(scheme.prefix(40))).lowercased()
        return kept.contains(name) ? nil : name
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        (65...90).contains(scalar.value) || (97...122).contains(scalar.value)
    }
}
