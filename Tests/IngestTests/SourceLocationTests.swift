// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct SourceLocationTests {
    @Test(arguments: [
        ("a.json", "a.json"), ("./a:b.json", "./a:b.json"), ("/x/a b.json", "/x/a b.json"), ("file:a.json", "a.json"),
        ("file:/x/a.json", "/x/a.json"), ("file:///x/a%20b.json", "/x/a b.json"), ("FILE://localhost/x", "/x"),
        ("100%", "100%"),
    ])
    func readsFiles(text: String, path: String) throws {
        #expect(try SourceLocation(text).target == .file(path: path))
    }

    @Test(arguments: [
        ("https://a.example", "https://a.example"), ("HTTP://a.example/b?c=d#e", "http://a.example/b?…"),
        ("https://ann:pw@a.example:8443/b", "https://a.example:8443/b"), ("http://[::1]:80/a", "http://[::1]:80/a"),
    ])
    func showsNoSecrets(text: String, shown: String) throws {
        #expect(try SourceLocation(text).description.lowercased() == shown)
        #expect(try !SourceLocation(text).description.contains("pw"))
    }

    @Test(arguments: [
        (
            "", SourceLocationError.empty,
            "The address is empty: give an https:, http: or file: URL, or the path of a file."
        ),
        (
            "ftp://a.example/b", .unsupportedScheme("ftp"),
            "The scheme ftp: is not supported: give an https:, http: or file: URL, or ./ before a path with a colon."
        ),
        ("https://", .noHost, "The address names no host: write it as https://host/path."),
        ("https:///a", .noHost, "The address names no host: write it as https://host/path."),
        (
            "file://server/a", .remoteFile,
            "A file: URL with a host names another machine: write it as file:///path."
        ),
        ("file:", .malformed, "The address is not a URL: check it for spaces and stray characters."),
        ("file:%zz", .malformed, "The address is not a URL: check it for spaces and stray characters."),
        ("http://a b/", .malformed, "The address is not a URL: check it for spaces and stray characters."),
        ("http://a.example:99999/", .malformed, "The address is not a URL: check it for spaces and stray characters."),
        ("a\u{0}b", .malformed, "The address is not a URL: check it for spaces and stray characters."),
    ])
    func refusesWhatCannotBeRead(text: String, error: SourceLocationError, sentence: String) {
        #expect(throws: error) { try SourceLocation(text) }
        #expect(error.description == sentence)
    }
}
