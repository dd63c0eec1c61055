// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestTurns
import Testing

@testable import LoadTest

@Suite("What processes use", .serialized, .inTurn)
struct LoadMeterTests {
    @Test("CPU time of this process and of others is that since counting began")
    func used() {
        let meter = LoadMeter(services: [getpid()])
        meter.begin()
        let end = NanoClock.processTime + 0.1
        while NanoClock.processTime < end {}
        var figures = LoadFigures(seconds: 1, sent: 0, done: 0, bytes: 0, latency: Latencies())
        meter.end(&figures)
        #expect(figures.generatorCPU > 0.09 && figures.generatorCPU < 10)
        #expect((figures.servicesCPU ?? -1) >= 0.05 && (figures.servicesMemory ?? 0) > 1 << 20)
    }
}
