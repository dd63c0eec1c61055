// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the processes of a run used while it was counted.
public final class LoadMeter: Sendable {
    private let services: ProcessMeter?
    private let first: Mutex<(generator: ProcessMeter.Reading?, services: ProcessMeter.Reading?)> = Mutex((nil, nil))

    /// - Parameter services: the processes that are tested; empty when they are not of this machine.
    public init(services: [Int32] = []) {
        self.services = services.isEmpty ? nil : ProcessMeter(services)
    }

    /// When counting begins.
    public func begin() {
        let now = (ProcessMeter.own.read(), services?.read())
        first.withLock { $0 = now }
    }

    /// Puts what was used since ``begin()`` into the figures.
    public func end(_ figures: inout LoadFigures) {
        let first = first.withLock { $0 }
        if let before = first.generator, let now = ProcessMeter.own.read() {
            figures.generatorCPU = now.cpu - before.cpu
        }
        if let before = first.services, let now = services?.read() {
            figures.servicesCPU = now.cpu - before.cpu
            figures.servicesMemory = now.memory
        }
    }
}
