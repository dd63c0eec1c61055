// SPDX-License-Identifier: Apache-2.0

/// Sorts points in place into the order of the leaves of a k-d tree.
struct SpatialTreeBuilder {
    private let points: UnsafeMutableBufferPointer<PackedPoint>
    private let boxes: UnsafeMutableBufferPointer<SpatialBox>
    private let depth: Int

    /// The state of xorshift64 (Marsaglia, 2003). Pivots are random so that no order of the input makes the sorting
    /// slow, unless somebody has made it for exactly these random numbers.
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Sorts the points, and returns the boxes of all nodes down to this depth.
    static func arrange(_ points: inout [PackedPoint], depth: Int) -> [SpatialBox] {
        var boxes = [SpatialBox](repeating: .empty, count: (2 << depth) - 1)
        // The pointers are used only within the closures, and nothing else writes to the two arrays meanwhile.
        points.withUnsafeMutableBufferPointer { points in
            boxes.withUnsafeMutableBufferPointer { boxes in
                var builder = SpatialTreeBuilder(points: points, boxes: boxes, depth: depth)
                builder.split(level: 0, number: 0)
            }
        }
        return boxes
    }

    /// Sorts the points of node `number` of `level` and of all nodes below it. The recursion is at most 31 deep.
    private mutating func split(level: Int, number: Int) {
        let range = SpatialTree.range(ofLeaf: number, count: points.count, depth: level)
        var low = PackedPoint(repeating: .max)
        var high = PackedPoint(repeating: .min)
        for index in range {
            low = pointwiseMin(low, points[index])
            high = pointwiseMax(high, points[index])
        }
        boxes[(1 << level) - 1 + number] = SpatialBox(low: low, high: high)
        guard level < depth else { return }

        // The extents are doubles, because an extent can exceed Int32. The payload's lane is not compared.
        let extent = SIMD4<Double>(high) - SIMD4<Double>(low)
        let axis = extent.x >= extent.y ? (extent.x >= extent.z ? 0 : 2) : (extent.y >= extent.z ? 1 : 2)
        let middle = SpatialTree.range(ofLeaf: 2 * number, count: points.count, depth: level + 1).upperBound
        select(middle, in: range, axis: axis)
        split(level: level + 1, number: 2 * number)
        split(level: level + 1, number: 2 * number + 1)
    }

    /// Quickselect with Hoare's partition. Afterwards no point before `middle` exceeds any point from `middle` on.
    private mutating func select(_ middle: Int, in range: Range<Int>, axis: Int) {
        var (first, last) = (range.lowerBound, range.upperBound - 1)
        // If the second half is empty, `middle` is one past the last point.
        while first < last, middle <= last {
            let pivot = pivot(first, last, axis)
            var (left, right) = (first, last)
            while left <= right {
                while points[left][axis] < pivot { left += 1 }
                while points[right][axis] > pivot { right -= 1 }
                if left <= right {
                    points.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if middle <= right {
                last = right
            } else if middle >= left {
                first = left
            } else {
                return
            }
        }
    }

    /// Returns the median of three points drawn from `first...last`.
    private mutating func pivot(_ first: Int, _ last: Int, _ axis: Int) -> Int32 {
        let span = UInt64(last - first + 1)
        var drawn: (Int32, Int32, Int32) = (0, 0, 0)
        drawn.0 = points[first + Int(draw() % span)][axis]
        drawn.1 = points[first + Int(draw() % span)][axis]
        drawn.2 = points[first + Int(draw() % span)][axis]
        return max(min(drawn.0, drawn.1), min(max(drawn.0, drawn.1), drawn.2))
    }

    private mutating func draw() -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random
    }
}
