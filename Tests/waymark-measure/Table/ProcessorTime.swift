// SPDX-License-Identifier: Apache-2.0

import LoadTest

/// The CPU time, user and system together, that each process used for one operation, from each round in microseconds.
/// It depends less on the hour than rates do.
struct ProcessorTime {
    private(set) var storage: [Double] = []
    private(set) var query: [Double] = []
    private(set) var generator: [Double] = []

    /// Of both services together.
    var services: [Double] { zip(storage, query).map { $0 + $1 } }

    /// - Parameter cpu: the seconds of storage and of the query service.
    mutating func add(_ figures: LoadFigures, _ cpu: [Double]) {
        let each = 1e6 / Double(max(1, figures.done))
        storage.append((cpu.first ?? 0) * each)
        query.append((cpu.dropFirst().first ?? 0) * each)
        generator.append(figures.generatorCPU * each)
    }

    var remark: String? {
        guard let query = Spread(query), let storage = Spread(storage), let generator = Spread(generator) else {
            return nil
        }
        let unit = FigureUnit.microseconds
        return "The query service \(unit.text(query.median)), storage \(unit.text(storage.median)), "
            + "the generator \(unit.text(generator.median))."
    }

    /// The services' time for one `near`, with the goal for this machine's processor.
    func line(_ row: RowName, _ what: String, on maker: ProcessorMaker = .here) -> TableLine {
        let goal = maker.goal(amd: .measured(.atMost, 8), intel: .measured(.atMost, 12))
        return TableLine(row, what, .microseconds, Spread(services), goal: goal).remarking([remark])
    }
}
