// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks

/// The values of a landmark that are read when its page arrives.
struct SnapshotLandmark {
    let page: UInt32
    /// The position of the encoded landmark in the page.
    let offset: UInt32
    let count: UInt32
    /// The position of the folded name among the names of the page.
    let nameOffset: UInt32
    let nameCount: UInt32
    let kind: UInt32
    let user: UInt32
    let source: UInt32
    let rev: UInt64
    let scoreBound: Float
    let hasHours: Bool
}

/// The landmarks of a snapshot by number. Valid while they are lent.
struct SnapshotLandmarks {
    let all: UnsafeBufferPointer<SnapshotLandmark>
    let keys: UnsafeBufferPointer<PointKey>
    let pages: UnsafeBufferPointer<SnapshotPage>

    subscript(number: UInt32) -> SnapshotLandmark { all[Int(number)] }

    /// The encoded landmark.
    func bytes(_ number: UInt32) -> UnsafeRawBufferPointer {
        let landmark = self[number]
        return pages[Int(landmark.page)].landmark(landmark)
    }

    /// The folded name in UTF-8.
    func foldedName(_ number: UInt32) -> UnsafeRawBufferPointer {
        let landmark = self[number]
        return pages[Int(landmark.page)].foldedName(landmark)
    }

    func id(_ number: UInt32) -> Landmark.ID { Landmark.ID(keys[Int(number)]) }

    func sortedName(_ number: UInt32) -> SortedName { SortedName(foldedName(number), id(number)) }

    /// Prefetches the entry that the other functions read first. ``prefetchBytes(_:)`` should follow a little later.
    func prefetch(_ number: UInt32) {
        guard let first = all.baseAddress else { return }
        LargeMemory.prefetch(first + Int(number))
    }

    func prefetchName(_ number: UInt32) {
        if let name = foldedName(number).baseAddress { LargeMemory.prefetch(name) }
    }

    func prefetchBytes(_ number: UInt32) {
        guard let start = bytes(number).baseAddress else { return }
        LargeMemory.prefetch(start)
        LargeMemory.prefetch(start + 64)
        prefetchName(number)
    }
}
