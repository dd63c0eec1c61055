// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The CPU time and memory that the processes of a run used while it was measured.
public final class LoadMeter: Sendable {
    private let services: ProcessMeter?
    private let first: Mutex<(generator: Double?, services: ProcessMeter.Reading?)> = Mutex((nil, nil))
    private let queue = DispatchQueue(label: "waymark.load-meter")

    /// - Parameter services: the tested processes; empty if they run on another machine.
    public init(services: [Int32] = []) {
        self.services = services.isEmpty ? nil : ProcessMeter(services)
    }

    /// Begins to count; called on the generator's thread. The files of `/proc` are read on another thread, because that
    /// takes long enough to show in a latency.
    public func begin() {
        first.withLock { $0.generator = NanoClock.processTime }
        guard let services else { return }
        queue.async { [self] in
            let now = services.read()
            first.withLock { $0.services = now }
        }
    }

    /// Writes the use since ``begin()`` into the figures.
    public func end(_ figures: inout LoadFigures) {
        let begun = queue.sync { first.withLock { $0 } }
        if let before = begun.generator { figures.generatorCPU = NanoClock.processTime - before }
        if let before = begun.services, let now = services?.read() {
            figures.servicesCPU = now.cpu - before.cpu
            figures.servicesMemory = now.memory
        }
    }
}
