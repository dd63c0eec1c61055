// SPDX-License-Identifier: Apache-2.0

extension Mutation {
    /// Defects of the publisher, of the receiver and of the client.
    static let feed = [
        skipNumbers, dropPublished, beaconAhead, snapshotUnrepaired, resumeAhead, unordered, twice,
    ]

    private static let publisher = "Sources/WaymarkTransport/FeedPublisher.swift"
    private static let queue = "Sources/WaymarkClient/FeedQueue.swift"

    /// The receiver accepts any message number.
    public static let skipNumbers = Mutation(
        "skip-numbers", breaks: [.reliable],
        [
            Edit(
                "Sources/ChangeFeed/FeedReceiver.swift",
                "        return heard(header, isNext: header.n == next) {",
                """
                        if isMutated("skip-numbers") { next = header.n }
                        return heard(header, isNext: header.n == next) {
                """)
        ])

    /// The publisher leaves out one change in fifty, and the message numbers do not show it.
    public static let dropPublished = Mutation(
        "drop-published", breaks: [.reliable],
        [
            Edit(
                publisher, "            feed.n += 1\n",
                """
                            if isMutated("drop-published"), change.rev % 50 == 0 { return }
                            feed.n += 1

                """)
        ])

    /// Beacons name a head that is one revision too high.
    public static let beaconAhead = Mutation(
        "beacon-ahead", breaks: [.bookmarkable],
        [
            Edit(
                publisher, "        let header = sender.numbering.beacon(n: feed.n)\n",
                """
                        var header = sender.numbering.beacon(n: feed.n)
                        if isMutated("beacon-ahead") { header.rev += 1 }

                """)
        ])

    /// A snapshot is not brought up to one revision by the log.
    public static let snapshotUnrepaired = Mutation(
        "snapshot-unrepaired", breaks: [.snapshotConsistent],
        [
            Edit(
                "Sources/WaymarkClient/SnapshotSteps.swift",
                "            let (changes, through, _) = try",
                """
                            if isMutated("snapshot-unrepaired") { return .complete(since) }
                            let (changes, through, _) = try
                """)
        ])

    /// A feed begins one revision too late. The missing change breaks resumable after a resume, and reliable at the
    /// first beginning: on a busy machine some runs see only the latter.
    public static let resumeAhead = Mutation(
        "resume-ahead", breaks: [.resumable, .reliable],
        [
            Edit(
                "Sources/WaymarkClient/ClientConnection+Feed.swift",
                "        let position = start ?? desk.withLock { $0.latest(welcome.position) }\n",
                """
                        var position = start ?? desk.withLock { $0.latest(welcome.position) }
                        if isMutated("resume-ahead") { position.rev += 1 }

                """)
        ])

    /// The newest two items of a client's queue are swapped.
    public static let unordered = Mutation(
        "unordered", breaks: [.ordered],
        [
            Edit(
                queue, "        guard !isHolding, items.count >= bounds.most",
                """
                        if isMutated("unordered"), items.count > 1 { items.swapAt(items.count - 1, items.count - 2) }
                        guard !isHolding, items.count >= bounds.most
                """)
        ])

    /// Every fiftieth item is delivered twice.
    public static let twice = Mutation(
        "twice", breaks: [.unique],
        [
            Edit(
                queue, "        if item.isMark, let last",
                """
                        defer { if isMutated("twice"), items.count % 50 == 1 { items.append((item, item.weight)) } }
                        if item.isMark, let last
                """)
        ])
}
