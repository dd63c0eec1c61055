// SPDX-License-Identifier: Apache-2.0

/// One line of the table.
struct TableLine: Codable {
    /// What it is compared with.
    struct Rival: Codable {
        var name: String
        var figures: Spread
        /// Else it is a figure that the issue states, of another day.
        var isMeasuredHere = true

        enum CodingKeys: String, CodingKey {
            case name, figures
            case isMeasuredHere = "measured_here"
        }
    }

    var row: RowName
    var what: String
    var unit: FigureUnit
    var measured: Spread?
    var rival: Rival?
    /// Measured by rival, of each round.
    var ratio: Spread?
    var goal: Goal?
    var isReached: Bool?
    /// One sentence each.
    var remarks: [String] = []
    /// Why it could not be measured.
    var missing: String?

    enum CodingKeys: String, CodingKey {
        case row, what, unit, measured, rival, ratio, goal
        case isReached = "reached"
        case remarks, missing
    }

    /// A figure by itself.
    init(_ row: RowName, _ what: String, _ unit: FigureUnit, _ measured: Spread?, goal: Goal? = nil) {
        (self.row, self.what, self.unit, self.measured, self.goal) = (row, what, unit, measured, goal)
        judge()
    }

    /// Figures of rounds beside those of a rival.
    init(_ row: RowName, _ what: String, _ unit: FigureUnit, _ rounds: Rounds, beside name: String, goal: Goal? = nil) {
        (self.row, self.what, self.unit, self.goal) = (row, what, unit, goal)
        (measured, ratio) = (Spread(rounds.measured), Spread(rounds.ratios))
        rival = Spread(rounds.rival).map { Rival(name: name, figures: $0) }
        judge()
    }

    /// Beside a figure of the issue's.
    init(
        _ row: RowName, _ what: String, _ unit: FigureUnit, _ measured: [Double], issue name: String, _ figure: Double,
        goal: Goal? = nil
    ) {
        (self.row, self.what, self.unit, self.goal) = (row, what, unit, goal)
        (self.measured, ratio) = (Spread(measured), Spread(measured.map { $0 / figure }))
        rival = Rival(name: name, figures: Spread(figure), isMeasuredHere: false)
        judge()
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

/// What was measured in each round, and its rival in the same one.
struct Rounds {
    private(set) var measured: [Double] = []
    private(set) var rival: [Double] = []

    mutating func add(_ measured: Double, beside rival: Double) {
        self.measured.append(measured)
        self.rival.append(rival)
    }

    /// Of each round one; where the rival has nothing there is none.
    var ratios: [Double] { zip(measured, rival).filter { $1 > 0 }.map { $0 / $1 } }
}
