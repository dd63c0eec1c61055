// SPDX-License-Identifier: Apache-2.0

import Glibc
import ServiceHost
import TestTurns
import Testing

@Suite(.computing)
struct ProgramArgumentsTests {
    private func problem(_ arguments: [[UInt8]]) -> String? {
        var pointers = arguments.map { bytes in strdup(bytes.map { CChar(bitPattern: $0) } + [0]) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { room in
            room.baseAddress.flatMap { ProgramArguments.problem(Int32(arguments.count), $0) }
        }
    }

    @Test func textIsTaken() {
        #expect(problem([]) == nil)
        #expect(problem([Array("waymark".utf8), Array("caf\u{e9} \u{1F3B5}\u{fffd}".utf8), []]) == nil)
    }

    @Test func bytesOfAnotherEncodingAreRefused() {
        let word = Array("caf".utf8) + [0xe9]
        #expect(
            problem([Array("waymark".utf8), Array("add".utf8), word])
                == "Argument 2 (caf?) is not UTF-8: type it on a terminal whose encoding is UTF-8.")
    }
}
