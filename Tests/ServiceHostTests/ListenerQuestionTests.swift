// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WebServer

@testable import ServiceHost

@Suite("What a health command asks the HTTP listener", .inShortTurn)
struct ListenerQuestionTests {
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nready\n", []),
        ("HTTP/1.1 503 Service Unavailable\r\n\r\nIt waits.\nIt is full.\n", ["It waits.", "It is full."]),
        ("HTTP/1.1 404 Not Found\r\n\r\n", nil), ("HTTP/1.1 503 Service Unavailable\r\n", nil), ("", nil),
        ("SSH-2.0 503 x\r\n\r\nIt waits.\n", nil), ("HTTP/1.1\r\n\r\n", nil),
    ])
    func answers(text: String, problems: [String]?) {
        #expect(ListenerQuestion.problems(in: text) == problems)
    }

    @Test("who does not listen, or is no address, gives no answer, and soon")
    func nobody() {
        let begun = ContinuousClock.now
        for text in ["127.0.0.1:1", "127.0.0.1:0", "nobody.invalid:80"] {
            guard let address = ListenAddress(text) else { return _ = #expect(Bool(false), "\(text)") }
            #expect(ListenerQuestion.problems(at: address, within: .milliseconds(200)) == nil)
        }
        #expect(ContinuousClock.now - begun < .seconds(60))
    }
}
