// SPDX-License-Identifier: Apache-2.0

import Glibc
import ServiceHost
import TestTurns
import Testing

@Suite(.inShortTurn)
struct OpenFilesTests {
    @Test("a shortage of descriptors is reported once, and its end once")
    func watch() {
        var watch = OpenFilesWatch()
        #expect(watch.look(count: 900, limit: 1_000) == nil)
        let warning = watch.look(count: 960, limit: 1_000)
        #expect(warning?.isWarning == true && warning?.sentence.contains("40 of 1000") == true)
        #expect(watch.look(count: 990, limit: 1_000) == nil)
        #expect(watch.look(count: 940, limit: 1_000) == nil)
        #expect(watch.look(count: 800, limit: 1_000)?.isWarning == false)
        #expect(watch.look(count: nil, limit: 1_000) == nil)
    }

    @Test("the limit is raised as far as possible, and divided among the sockets")
    func limit() throws {
        OpenFiles.raiseLimit()
        #expect(OpenFiles.limit >= 1_024)
        #expect(try #require(OpenFiles.count) > 3)
        #expect(OpenFiles.connections(wanted: 64, sockets: 2, besideWeb: true) == 64)
        let most = OpenFiles.connections(wanted: .max, sockets: 2, besideWeb: true)
        #expect(most * 2 < OpenFiles.limit && most >= 16)
        #expect(OpenFiles.webConnections(wanted: 64) == 64)
        // Both together leave some for everything else.
        #expect(most * 2 + OpenFiles.webConnections(wanted: .max) < OpenFiles.limit)
        // A service without HTTP needs none for it.
        let alone = OpenFiles.connections(wanted: .max, sockets: 2, besideWeb: false)
        #expect(alone * 2 > OpenFiles.limit / 2 && alone * 2 < OpenFiles.limit)
    }

    @Test("a shortage is seen without a free descriptor")
    func noneIsLeft() async {
        await #expect(processExitsWith: .success) {
            var limits = rlimit(rlim_cur: 3, rlim_max: 3)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            guard OpenFiles.count == 3 else { exit(1) }
            var watch = OpenFilesWatch()
            exit(watch.look(count: OpenFiles.count, limit: OpenFiles.limit)?.isWarning == true ? 0 : 2)
        }
    }
}
