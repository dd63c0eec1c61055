// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Settings

@Suite(.inShortTurn, .timeLimit(.minutes(5)))
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
        #expect(SettingText.isEndpoint(text))
    }

    @Test(arguments: [
        "", "tcp://", "tcp://a", "tcp://:7420", "tcp://a:b", "tcp://a:65536", "tcp://a:-1", "tcp://a:+1",
        "tcp://::1:7420",
        "tcp://a/b:1", "http://a:1", "ipc://", "127.0.0.1:7420", "tcp://a b:1",
    ])
    func refusesOtherEndpoints(text: String) {
        #expect(!SettingText.isEndpoint(text))
    }

    @Test
    func countsDifferingLetters() {
        #expect(EditDistance.between("", "abc") == 3)
        #expect(EditDistance.between("listen", "lisen") == 1)
        #expect(EditDistance.between("url", "ulr") == 2)
        #expect(EditDistance.between("same", "same") == 0)
    }
}
