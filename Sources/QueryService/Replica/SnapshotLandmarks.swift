// SPDX-License-Identifier: Apache-2.0

import Geodesy
internal import Landmarks

/// The values of a landmark that are kept when its page is read.
struct SnapshotLandmark {
    let page: UInt32
    /// The byte offset of the encoded landmark in the reply.
    let offset: UInt32
    let count: UInt32
    /// The byte offset of the folded name among the names of the page.
    let nameOffset: UInt32
    let nameCount: UInt32
    let numbers: LandmarkOrders.Numbers
    let rev: UInt64
    let scoreBound: Float
}

/// The landmarks of a snapshot by their numbers. Valid only while they are lent.
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

    /// Prefetches the entry that the other methods read first. The caller should call ``prefetchBytes(_:)`` for the
    /// same landmark a little later.
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
