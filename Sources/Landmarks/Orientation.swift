// SPDX-License-Identifier: Apache-2.0

/// Decides on which side of a line a place lies, without rounding errors.
///
/// The determinant is computed in double precision. If its error could change the sign, it is computed again as an
/// exact sum of doubles (Shewchuk, 1997). The sum is exact if no number other than 0 is below 1e-140.
enum Orientation {
    /// Returns the sign of the area of the triangle from, to, place: 1 if the place is left of the line that goes from
    /// `from` to `to` (on a map with north above), -1 if it is right of the line, 0 if it is on the line.
    ///
    /// - Parameter turns: an offset that is added to the longitude of the place.
    static func sign(
        _ from: AreaPolygon.Corner, _ to: AreaPolygon.Corner, _ longitude: Double, _ turns: Double, _ latitude: Double
    ) -> Int {
        let (fromY, toY) = (from.latitude - latitude, to.latitude - latitude)
        let x = longitude + turns
        let (left, right) = ((from.longitude - x) * toY, (to.longitude - x) * fromY)
        let determinant = left - right
        // A generous bound for several roundings of the products and that of `x`, which is at most half a unit of 720.
        let error = 2e-15 * (abs(left) + abs(right)) + 2e-13 * (abs(fromY) + abs(toY))
        if abs(determinant) > error { return determinant > 0 ? 1 : -1 }
        return exactSign(from, to, longitude, turns, latitude)
    }

    /// Returns the sign of `longitude - (other + turns)`.
    static func sign(of longitude: Double, minus other: Double, _ turns: Double) -> Int {
        ExactSum([longitude, -other, -turns]).sign
    }

    private static func exactSign(
        _ from: AreaPolygon.Corner, _ to: AreaPolygon.Corner, _ longitude: Double, _ turns: Double, _ latitude: Double
    ) -> Int {
        var sum = ExactSum([])
        // (from.x - x) (to.y - y) - (to.x - x) (from.y - y), with x = longitude + turns and all products written out.
        for x in [from.longitude, -longitude, -turns] {
            for y in [to.latitude, -latitude] { sum.add(x, times: y) }
        }
        for x in [to.longitude, -longitude, -turns] {
            for y in [from.latitude, -latitude] { sum.add(-x, times: y) }
        }
        return sum.sign
    }
}

/// An exact sum of doubles: a list of doubles that do not overlap, the smallest first.
private struct ExactSum {
    private var parts: [Double] = []

    init(_ numbers: [Double]) { for number in numbers { add(number) } }

    mutating func add(_ number: Double) {
        var carried = number
        for index in parts.indices {
            let sum = carried + parts[index]
            // The rounding error of the addition (Knuth).
            let virtual = sum - carried
            parts[index] = (carried - (sum - virtual)) + (parts[index] - virtual)
            carried = sum
        }
        parts.append(carried)
    }

    mutating func add(_ left: Double, times right: Double) {
        let product = left * right
        add((-product).addingProduct(left, right))
        add(product)
    }

    /// The sign of the sum. The last part other than 0 decides, because it is larger than all parts before it together.
    var sign: Int {
        guard let greatest = parts.last(where: { $0 != 0 }) else { return 0 }
        return greatest > 0 ? 1 : -1
    }
}
