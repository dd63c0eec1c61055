// SPDX-License-Identifier: Apache-2.0

import Geodesy
import WaymarkLoad

/// A load test of one kind of request, which ``MixBench`` can mix with others.
protocol RequestBench: ServiceBench, Sendable {
    /// The options that an operation of a mix file may have.
    static var mixed: [String] { get }
    /// The label of the test's only case.
    var label: String { get }
    /// The operation and its options in a report of ``MixBench``, of the same text in all releases.
    var summary: String { get }
    var check: Bool { get }

    /// Makes a new operation for a run.
    ///
    /// - Parameter mark: the name of a ``BenchMark``; nil if the test leaves nothing behind.
    func operation(at place: Coordinate?, mark: String?, seed: UInt64, isChecked: Bool) -> any LoadOperation
}

extension RequestBench {
    var check: Bool { false }

    func cases(_ service: BenchService) throws -> [BenchCase] { [requests(service)] }

    func requests(_ service: BenchService) -> BenchCase {
        requests(label, service) { [self, place = service.around, mark = service.mark?.name] in
            [WeightedOperation(operation(at: place, mark: mark, seed: load.seed, isChecked: check))]
        }
    }
}
