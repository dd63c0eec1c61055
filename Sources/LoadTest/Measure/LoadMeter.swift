// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Measures the CPU time and the memory that the processes of a run use while the run is counted.
public final class LoadMeter: Sendable {
    private let services: ProcessMeter?
    private let first: Mutex<(generator: Double?, services: ProcessMeter.Reading?)> = Mutex((nil, nil))
    private let queue = DispatchQueue(label: "waymark.load-meter")

    /// - Parameter services: the process ids of the tested services; empty if they run on another machine.
    public init(services: [Int32] = []) {
        self.services = services.isEmpty ? nil : ProcessMeter(services)
    }

    /// Starts measuring. Called on the generator's thread. The files in `/proc` are read on another thread, because
    /// reading them takes long enough to increase a measured latency.
    public func begin() {
        first.withLock { $0.generator = NanoClock.processTime }
        guard let services else { return }
        queue.async { [self] in
            let now = services.read()
            first.withLock { $0.services = now }
        }
    }

    /// Writes what was used since ``begin()`` into the figures.
    public func end(_ figures: inout LoadFigures) {
        let begun = queue.sync { first.withLock { $0 } }
        if let before = begun.generator { figures.generatorCPU = NanoClock.processTime - before }
        if let before = begun.services, let now = services?.read() {
            figures.servicesCPU = now.cpu - before.cpu
            figures.servicesMemory = now.memory
        }
    }
}
