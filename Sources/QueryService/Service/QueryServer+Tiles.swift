// SPDX-License-Identifier: Apache-2.0

internal import WaymarkTransport

extension QueryServer {
    /// Brings the landmarks into the order of map tiles before anybody asks for one, and again after each reload. For a
    /// million landmarks that takes a second or two, half a millisecond at a time.
    package func prepareTiles() {
        housekeeping.preparesTiles = true
        fillTiles()
    }

    /// Whether a tile is answered at once.
    package var areTilesReady: Bool { replica?.tiles?.isFilled == true }

    /// Does one step, and the next ones in the turns of the loop that follow.
    func fillTiles() {
        guard server != nil, let replica, !replica.tilesFilled().isFilled else { return }
        loop.submit { [weak self] in self?.assumeIsolated { $0.fillTiles() } }
    }
}
