// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkProtocol

@testable import WaymarkCLI

@Suite("Exit codes", .inShortTurn)
struct CLIExitStatusTests {
    @Test func clientErrors() {
        #expect(ExitStatus(ClientError.cannotConnect(endpoint: "tcp://x:1", reason: nil)).rawValue == 3)
        #expect(ExitStatus(ClientError.timedOut(endpoint: "tcp://x:1")).rawValue == 4)
        for after in [ClientError.tooMany, .cancelled, .cannotConnect(endpoint: "tcp://x:1", reason: nil)] {
            let error = ClientError.mayBeDone(endpoint: "tcp://x:1", after: after)
            #expect(ExitStatus(error).rawValue == 4)
            #expect(error.description.hasSuffix("The request may have been done: check before you repeat it."))
        }
        #expect(ExitStatus(ClientError.keyRefused(endpoint: "tcp://x:1")).rawValue == 11)
        #expect(ExitStatus(ClientError.otherServer(endpoint: "tcp://x:1")).rawValue == 12)
        #expect(ExitStatus(ClientError.unreadableAnswer("hello")).rawValue == 7)
        #expect(ExitStatus(ClientError.tooMany).rawValue == 1)
        #expect(ExitStatus(ClientError.closed).rawValue == 1)
    }

    @Test(arguments: ErrorCode.allCases)
    func refusals(_ code: ErrorCode) {
        let expected: Int32 =
            switch code {
            case .unavailable: 3
            case .notYet, .forgotten: 4
            case .denied: 5
            case .compacted, .epochChanged, .futureRevision: 6
            case .protocolVersion: 7
            case .wrongPassword: 9
            case .accountEnded: 10
            case .keyEnded: 11
            default: 1
            }
        #expect(ExitStatus(ClientError.refused(ServiceError(code, "No."))).rawValue == expected)
        let failure = Failure(ServiceError(code, "No."))
        #expect(failure?.code == code.name)
        #expect(failure?.status.rawValue == expected)
    }

    @Test func compactedSaysWhatIsKept() throws {
        let failure = try #require(Failure(ServiceError(.compacted, "Gone.", floor: 7, head: 99)))
        #expect(failure.message == "Gone. The log has revisions 7 to 99.")
        let line = JSONWriter.line { failure.write(to: &$0) }
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"error":{"code":"compacted","message":"Gone. The log has revisions 7 to 99.","floor":7,"head":99}}"#
                + "\n")
    }
}
