// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy

/// Reads positions from stdin.
enum WatchPositions {
    /// Reads on a thread of its own until stdin ends. A line without a position is reported and skipped.
    static func read(_ surroundings: Surroundings, into state: WatchState, _ output: Output) {
        Thread.detachNewThread {
            surroundings.readFixes(output) { state.move(to: $0.place) }
        }
    }
}
