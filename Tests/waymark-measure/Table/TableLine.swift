// SPDX-License-Identifier: Apache-2.0

/// One line of the table.
struct TableLine: Codable {
    /// The value that the measured one is compared with, of the same run.
    struct Rival: Codable {
        var name: String
        var figures: Spread
    }

    var row: RowName
    var what: String
    var unit: FigureUnit
    var measured: Spread?
    var rival: Rival?
    /// The ratio of the measured value to the rival's, from each round.
    var ratio: Spread?
    var goal: Goal?
    var isReached: Bool?
    /// One sentence each.
    var remarks: [String] = []
    /// Why the line could not be measured.
    var missing: String?

    enum CodingKeys: String, CodingKey {
        case row, what, unit, measured, rival, ratio, goal
        case isReached = "reached"
        case remarks, missing
    }

    /// A figure without a rival.
    init(_ row: RowName, _ what: String, _ unit: FigureUnit, _ measured: Spread?, goal: Goal? = nil) {
        (self.row, self.what, self.unit, self.measured, self.goal) = (row, what, unit, measured, goal)
        judge()
    }

    /// Figures of several rounds beside those of a rival.
    init(_ row: RowName, _ what: String, _ unit: FigureUnit, _ rounds: Rounds, beside name: String, goal: Goal? = nil) {
        (self.row, self.what, self.unit, self.goal) = (row, what, unit, goal)
        (measured, ratio) = (Spread(rounds.measured), Spread(rounds.ratios))
        rival = Spread(rounds.rival).map { Rival(name: name, figures: $0) }
        judge()
    }

    /// Figures beside a rival that was not measured in this run: then there is no ratio and no verdict.
    init(
        _ row: RowName, _ what: String, _ unit: FigureUnit, _ measured: [Double], notMeasured name: String,
        because reason: String
    ) {
        self.init(row, what, unit, Spread(measured))
        remarks.append("\(name): not measured (\(reason)).")
    }

    init(_ row: RowName, missing: String) {
        (self.row, what, unit, self.missing) = (row, row.abstract, .count, missing)
    }

    private mutating func judge() {
        guard let goal, let figure = goal.figure == .ratio ? ratio : measured else { return }
        isReached = goal.isReached(by: figure)
    }

    func remarking(_ remarks: [String?]) -> TableLine {
        var line = self
        line.remarks += remarks.compactMap { $0 }
        return line
    }
}

/// The measured value and the rival's value of each round.
struct Rounds {
    private(set) var measured: [Double] = []
    private(set) var rival: [Double] = []

    init() {}

    /// Figures of the same rounds.
    init(_ measured: [Double], beside rival: [Double]) { (self.measured, self.rival) = (measured, rival) }

    mutating func add(_ measured: Double, beside rival: Double) {
        self.measured.append(measured)
        self.rival.append(rival)
    }

    /// The ratio of each round, except where the rival has no value.
    var ratios: [Double] { zip(measured, rival).filter { $1 > 0 }.map { $0 / $1 } }
}
