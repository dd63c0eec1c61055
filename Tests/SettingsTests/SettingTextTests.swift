// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Settings

@Suite(.inShortTurn)
struct SettingTextTests {
    @Test(arguments: [
        ("500ms", 500), ("5s", 5_000), ("10m", 600_000), ("6h", 21_600_000), ("1d", 86_400_000), ("0s", 0),
    ])
    func readsDurations(text: String, milliseconds: Int) {
        #expect(SettingText.duration(text) == .milliseconds(milliseconds))
        #expect(SettingText.text(of: .milliseconds(milliseconds)) == text)
    }

    @Test(arguments: [("512B", 512), ("64KiB", 65_536), ("8MiB", 8 << 20), ("1GiB", 1 << 30), ("0B", 0)])
    func readsSizes(text: String, bytes: Int) {
        #expect(SettingText.bytes(text) == bytes)
        #expect(SettingText.text(ofBytes: bytes) == text)
        #expect(SettingText.bytes("0") == 0)
    }

    @Test(arguments: [
        "", "5", "s", "-5s", "1.5s", "5 parsecs", "5S", "99999999999999999999s", "9999999999999999d", "٣s",
    ])
    func refusesOtherTimes(text: String) {
        #expect(SettingText.duration(text) == nil)
    }

    @Test(arguments: ["", "5", "KiB", "-5B", "5kb", "5MB", "99999999999GiB"])
    func refusesOtherSizes(text: String) {
        #expect(SettingText.bytes(text) == nil)
    }

    @Test(arguments: [
        "tcp://127.0.0.1:7420", "tcp://*:0", "tcp://eth0:*", "tcp://[::1]:7420", "ipc:///tmp/a", "inproc://a",
    ])
    func knowsEndpoints(text: String) {
        #expect(EndpointText.problem(with: text, for: .listening) == nil)
    }

    @Test(arguments: [
        "", "tcp://", "tcp://a", "tcp://:7420", "tcp://a:b", "tcp://a:65536", "tcp://a:-1", "tcp://a:+1",
        "tcp://::1:7420",
        "tcp://a/b:1", "http://a:1", "ipc://", "127.0.0.1:7420", "tcp://a b:1",
    ])
    func refusesOtherEndpoints(text: String) {
        #expect(EndpointText.problem(with: text, for: .listening) != nil)
    }

    @Test(arguments: [
        ("17441", "is no endpoint: write tcp://127.0.0.1:17441"),
        ("localhost:7420", "is no endpoint: write tcp://localhost:7420"),
        ("/run/waymark", "is no endpoint: write ipc:///run/waymark"),
        ("http://h:1", "is no endpoint: write tcp://HOST:PORT or ipc://PATH"),
        ("tcp://h:99999", "has a port that is not within 1 and 65535"),
        ("tcp://h", "lacks a port: write tcp://HOST:PORT"),
        ("tcp://h:*", "has no port: write a number from 1 to 65535"),
        ("tcp://h:0", "has a port that is not within 1 and 65535"),
    ])
    func saysWhatIsWrongWithAnEndpoint(text: String, problem: String) {
        #expect(EndpointText.problem(with: text, for: .connecting) == problem)
    }

    @Test("the host * stands in what is announced, with a port of its own, and in nothing that is connected to")
    func announcedEndpoints() {
        for text in ["tcp://*:7422", "tcp://relay-7.example:7430", "ipc:///run/c"] {
            #expect(SettingKind.announced.problem(with: text) == nil)
        }
        for text in ["tcp://*:*", "tcp://*:0", "tcp://*", "*", ""] {
            #expect(SettingKind.announced.problem(with: text) != nil)
        }
        #expect(
            EndpointText.problem(with: "tcp://*:7422", for: .connecting)
                == "names no host: * is for endpoints to listen on")
    }

    @Test(arguments: [
        ("b", ".", "b"), ("a/b", "a", "b"), ("/b", "/", "b"), ("a/b/", "a", "b"), ("", ".", ""), ("/", ".", ""),
        ("//a//b", "//a", "b"), ("./c", ".", "c"), ("-", ".", "-"), ("é", ".", "é"),
    ])
    func takesPathsApart(path: String, folder: String, name: String) {
        #expect(PathText.folder(of: path) == folder)
        #expect(PathText.name(of: path) == name)
    }

    @Test func marksNamesOfFiles() {
        #expect(PathText.marked("a.b/near.hgrm", "4") == "a.b/near-4.hgrm")
        #expect(PathText.marked("n", "4") == "n-4")
        #expect(PathText.marked("a.b/near", "4") == "a.b/near-4")
        #expect(PathText.marked(".near", "4") == ".near-4")
    }

    @Test func findsTheWordThatIsMeant() {
        #expect(EditDistance.nearest(to: "nera", in: ["near", "bench", "note"]) == "near")
        #expect(EditDistance.nearest(to: "peek", in: ["peak", "beach"]) == "peak")
        #expect(EditDistance.nearest(to: "xyz", in: ["peak", "beach"]) == nil)
        #expect(EditDistance.nearest(to: "x", in: []) == nil)
    }

    @Test
    func countsDifferingLetters() {
        #expect(EditDistance.between("", "abc") == 3)
        #expect(EditDistance.between("listen", "lisen") == 1)
        #expect(EditDistance.between("url", "ulr") == 2)
        #expect(EditDistance.between("same", "same") == 0)
    }
}
