// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Geodesy
internal import Landmarks
import WaymarkProtocol

/// The pages of a snapshot as they arrive, and the values of their landmarks that a replica keeps.
///
/// Each landmark is read once, while its page is in the processor's cache. A landmark's number in the order of arrival
/// becomes its payload in the spatial tree and its slot in the replica.
struct ReplicaSnapshot: Sendable {
    /// The maximum number of landmarks to reserve memory for, because a damaged storage could report any number.
    private static let mostReserved: UInt64 = 4_000_000

    /// The position where the replica begins. All later changes come from the feed.
    let position: Position
    private let memory = SnapshotMemory()
    private var pages: [SnapshotPage] = []
    private(set) var landmarks: [SnapshotLandmark] = []
    /// The coordinates and ids.
    private(set) var points = SpatialTreeInput()
    /// The number of bytes that the landmarks will take in a ``LandmarkStore``.
    private(set) var storeBytes = 0
    /// Whether any landmark has opening hours.
    private(set) var hasHours = false
    /// Orders that hold no slots yet. They only number the kinds, users and sources.
    private(set) var orders = LandmarkOrders()
    /// The number of landmarks that storage had when it sent the last page.
    private(set) var total: UInt64 = 0

    init(at position: Position) {
        self.position = position
    }

    var count: Int { landmarks.count }

    /// Adds an encoded `Reply` that holds a page of a snapshot. After an error, the snapshot must not be used.
    ///
    /// - Throws: an error if the bytes are not a page of a snapshot, if a landmark is in the snapshot twice, or if this
    ///   release cannot read a landmark.
    mutating func append(page reply: [UInt8]) throws(ServiceError) {
        try reply.withUnsafeBufferPointer { (bytes) throws(ServiceError) in try append(UnsafeRawBufferPointer(bytes)) }
    }

    private mutating func append(_ reply: UnsafeRawBufferPointer) throws(ServiceError) {
        var names: [UInt8] = []
        var isPage = false
        var results = WireFields(reply)
        while let page = results.next(ReplyField.snapshot) {
            isPage = true
            var fields = WireFields(page)
            while let (field, value) = fields.next() {
                switch (SnapshotPageField(rawValue: field), value) {
                case (.landmarks, .bytes(let landmark)): try append(landmark, in: reply, &names)
                case (.total, .number(let number)): total = number
                default: break
                }
            }
            guard fields.isWhole else { throw .unexpectedAnswer }
        }
        guard results.isWhole, isPage else { throw .unexpectedAnswer }
        if pages.isEmpty {
            let known = Int(min(total, Self.mostReserved))
            // A little more room is reserved, because landmarks may be added while the snapshot is read.
            points.reserve(known + known / 64)
            landmarks.reserveCapacity(known + known / 64)
        }
        // The whole reply is kept, because nearly all of its bytes are landmarks.
        pages.append(SnapshotPage(reply: reply, names: names, in: memory))
    }

    private mutating func append(
        _ bytes: UnsafeRawBufferPointer, in reply: UnsafeRawBufferPointer, _ names: inout [UInt8]
    ) throws(ServiceError) {
        let landmark: LandmarkFields
        do throws(InvalidInput) { landmark = try LandmarkFields(bytes) } catch { throw .unreadableLandmarks }
        let (subject, view) = (landmark.subject, landmark.view)
        guard points.append(PointKey(subject.id), at: SpatialPlace(subject.coordinate)) else {
            throw .unexpectedAnswer
        }
        let nameOffset = names.count
        landmark.withFoldedName { names.append(contentsOf: $0) }
        landmarks.append(
            SnapshotLandmark(
                page: UInt32(pages.count),
                // Neither address is nil: an empty landmark has no id, so the code above has refused it.
                offset: UInt32(bytes.baseAddress! - reply.baseAddress!), count: UInt32(bytes.count),
                nameOffset: UInt32(nameOffset), nameCount: UInt32(names.count - nameOffset),
                numbers: orders.numbers(of: landmark), rev: view.rev, scoreBound: Prominence.bound(view)))
        if !view.openingHours.isEmpty { hasHours = true }
        storeBytes += LandmarkAddress.room(bytes, names.count - nameOffset)
    }

    /// Lends the landmarks by their numbers.
    func withLandmarks<Result>(_ body: (SnapshotLandmarks) -> Result) -> Result {
        withExtendedLifetime(memory) {
            landmarks.withUnsafeBufferPointer { landmarks in
                points.keys.withUnsafeBufferPointer { keys in
                    pages.withUnsafeBufferPointer { body(SnapshotLandmarks(all: landmarks, keys: keys, pages: $0)) }
                }
            }
        }
    }

    // MARK: Building the replica

    /// Builds the replica on two other threads. For a million landmarks this takes less than a second.
    @concurrent
    func replica() async -> sending Replica {
        async let rest = rest()
        let tree = SpatialTree(points)
        let (store, orders) = await rest
        return Replica(self, tree, orders, store)
    }

    /// Builds the parts that do not need the spatial tree, on a thread of their own. Two long tasks could take all
    /// threads of the shared pool, but the HTTP interface, which the old replica serves meanwhile, needs one.
    private func rest() async -> (LandmarkStore, LandmarkOrders) {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "waymark.replica").async {
                let store = LandmarkStore(reserving: storeBytes)
                continuation.resume(returning: (store, LandmarkOrders(of: self)))
            }
        }
    }
}
