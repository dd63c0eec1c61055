// SPDX-License-Identifier: Apache-2.0

import Landmarks
import LoadTest
import WaymarkLoad

/// Measures `near` through a query service, and the bare bus with requests and answers of the same sizes.
struct Near {
    let stage: Stage
    private let operation: any LoadOperation
    /// The sizes of a request and an answer in bytes, as last observed.
    private(set) var sizes = (request: 64, answer: 3_000)
    /// The cores used in each run by this process and by both services.
    private(set) var cores: [(generator: Double, services: Double)] = []
    private(set) var time = ProcessorTime()
    /// The answers must reflect this position; nil: any.
    var atLeast: Position?

    init(_ stage: Stage, radius: Double? = nil, seed: UInt64) {
        self.init(stage, ReadOperation.near(limit: 20, radius: radius, around: nil, seed: seed))
    }

    init(_ stage: Stage, _ operation: any LoadOperation) {
        (self.stage, self.operation) = (stage, operation)
    }

    mutating func ask(_ run: TableRun, _ shape: LoadShape) async throws -> LoadFigures {
        var test = ServiceTest(endpoint: stage.endpoint, user: "measure", timeout: 30_000_000_000) { [operation] in
            [WeightedOperation(operation)]
        }
        test.atLeast = atLeast
        test.security = stage.keys?.security(stage.endpoint)
        let (result, cpu) = try await run.measureEach(shape, of: stage.processes, test.run)
        time.add(result.figures, cpu)
        let figures = result.figures
        sizes = (max(16, result.requestBytes ?? 16), max(16, Int(figures.bytes / max(1, figures.done))))
        let seconds = max(figures.seconds, 1e-9)
        cores.append((figures.generatorCPU / seconds, (figures.servicesCPU ?? 0) / seconds))
        return figures
    }

    func bare(_ run: TableRun, _ shape: LoadShape, isEncrypted: Bool = false) async throws -> LoadFigures {
        var test = BusRequestTest(size: sizes.request, answerBytes: sizes.answer, timeout: 30_000_000_000)
        test.encryptsBare = isEncrypted
        return try await run.measure(shape, test.runBare).figures
    }

    /// A remark on the cores used, and whether the generator may be the limit.
    var remark: String? {
        guard let generator = Spread(cores.map(\.generator)), let services = Spread(cores.map(\.services)) else {
            return nil
        }
        return Generator.remark(generator.median, services.median)
    }
}

enum Generator {
    /// The share of a core from which the generator may be the limit.
    private static let limit = 0.9

    static func remark(_ generator: Double, _ services: Double) -> String {
        let told =
            "The generator used \(FigureUnit.number(generator)) cores, the services \(FigureUnit.number(services))."
        return generator >= limit ? told + " The generator itself may be the limit." : told
    }
}
