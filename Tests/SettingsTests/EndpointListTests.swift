// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Settings

@Suite("Several endpoints in one setting", .inShortTurn)
struct EndpointListTests {
    @Test(
        "a comma separates before a scheme, and is a part of a path elsewhere",
        arguments: [
            ("tcp://a:1", ["tcp://a:1"]), ("tcp://a:1,tcp://[::1]:2", ["tcp://a:1", "tcp://[::1]:2"]),
            ("tcp://a:1, ipc:///x", ["tcp://a:1", "ipc:///x"]), ("ipc:///a,b,ipc:///c", ["ipc:///a,b", "ipc:///c"]),
            ("ipc:///a, b", ["ipc:///a, b"]), ("", [""]), (",", [","]),
        ])
    func splits(text: String, endpoints: [String]) { #expect(EndpointText.list(text) == endpoints) }

    @Test(
        "what is wrong is said",
        arguments: [
            ("tcp://a:1,tcp://b", "which lacks a port"), ("tcp://a:1,tcp://a:1", "twice"),
            ("tcp://a:1,b:2", "names no host"),
            ("tcp://a:1,tcp://b:*", "has no port"), ("", "is no endpoint"), ("tcp://a:1,", "has no port"),
            ((0...16).map { "tcp://a:\($0 + 1)" }.joined(separator: ","), "more than 16"),
        ])
    func problems(text: String, words: String) {
        #expect(
            EndpointText.problem(withList: text)?.contains(words) == true,
            "\(EndpointText.problem(withList: text) ?? "")")
        #expect(SettingKind.endpoints.problem(with: text) == EndpointText.problem(withList: text))
    }

    @Test func right() {
        for text in ["tcp://a:1", "tcp://a:1,tcp://b:1", "tcp://a:1, ipc:///run/waymark/s"] {
            #expect(EndpointText.problem(withList: text) == nil)
        }
    }
}
