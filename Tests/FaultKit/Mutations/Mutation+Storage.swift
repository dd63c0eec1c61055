// SPDX-License-Identifier: Apache-2.0

extension Mutation {
    /// Defects of storage, some of them together with the receiver.
    static let storage = [
        publishBeforeCommit, forgetAnswers, synchronousNormal, compactionSilent, epochBlind, half,
    ]

    private static let engine = "Sources/StorageOnSQLite/"
    private static let reads = "Sources/StorageRules/Reads/"
    private static let rules = "Sources/StorageRules/Rules/"
    private static let writing = "Sources/StorageService/Writing/"

    /// Changes are published before their batch is committed.
    public static let publishBeforeCommit = Mutation(
        "publish-before-commit", breaks: [.durable],
        [
            Edit(
                writing + "CommitLoop.swift", "import StorageRules\n", "import StorageOnSQLite\nimport StorageRules\n"),
            Edit(
                writing + "CommitLoop.swift", "        let result = Result { () throws(EngineError) in\n",
                """
                        if isMutated("publish-before-commit") {
                            (engine as? SQLiteEngine)?.beforeCommit = { [publisher] in publisher.publish($0) }
                        }
                        let result = Result { () throws(EngineError) in

                """),
            Edit(
                writing + "CommitLoop.swift", "                    publisher.publish(change)\n",
                """
                                    if !isMutated("publish-before-commit") { publisher.publish(change) }

                """),
            Edit(engine + "SQLiteEngine.swift", "import SQLite\n", "import SQLite\nimport WaymarkProtocol\n"),
            Edit(
                engine + "SQLiteEngine.swift", "    deinit { close() }\n",
                """
                    package var beforeCommit: ((EncodedChange) -> Void)? {
                        get { batches.beforeCommit }
                        set { batches.beforeCommit = newValue }
                    }

                    deinit { close() }

                """),
            Edit(engine + "SQLiteWriter.swift", "import SQLite\n", "import SQLite\nimport WaymarkProtocol\n"),
            Edit(
                engine + "SQLiteWriter.swift", "    private var isInDoubt = false\n",
                """
                    private var isInDoubt = false
                    var beforeCommit: ((EncodedChange) -> Void)?

                """),
            Edit(
                engine + "SQLiteWriter.swift", "                        Failpoint.hit(.beforeCommit)\n",
                """
                                        if isMutated("publish-before-commit") {
                                            applied.changes.forEach { beforeCommit?($0) }
                                        }
                                        Failpoint.hit(.beforeCommit)

                """),
        ])

    /// A write that is sent again is done again.
    public static let forgetAnswers = Mutation(
        "forget-answers", breaks: [.durable],
        [
            Edit(
                rules + "BatchRunner.swift", "        if let answer = try answers.find(key) {\n",
                """
                        if !isMutated("forget-answers"), let answer = try answers.find(key) {

                """)
        ])

    /// SQLite does not flush each commit.
    public static let synchronousNormal = Mutation(
        "synchronous-normal", breaks: [.durable],
        [
            Edit(
                engine + "SQLiteEngine+Opening.swift", #""PRAGMA synchronous = FULL""#,
                #""PRAGMA synchronous = \(isMutated("synchronous-normal") ? "NORMAL" : "FULL")""#)
        ])

    /// A reader of the log is not refused when the changes that it needs have been compacted away.
    public static let compactionSilent = Mutation(
        "compaction-silent", breaks: [.honest],
        [
            Edit(
                reads + "StorageReader.swift", "            guard rev + 1 >= floor else {\n",
                """
                            guard rev + 1 >= floor || isMutated("compaction-silent") else {

                """),
            Edit(
                reads + "StorageReader.swift", "            var (bytes, bytesRead) = (0, 0)\n",
                """
                            if isMutated("compaction-silent") { page.through = max(rev, floor - 1) }
                            var (bytes, bytesRead) = (0, 0)

                """),
        ])

    /// A position of another history is accepted.
    public static let epochBlind = Mutation(
        "epoch-blind", breaks: [.honest],
        [
            Edit(
                reads + "StorageReader.swift", "try !tables.canHaveReached(rev, run) {",
                #"try !tables.canHaveReached(rev, run), !isMutated("epoch-blind") {"#),
            Edit(
                "Sources/StorageService/Reading/StorageReads.swift",
                "guard since.epoch == executor.position.epoch else {",
                #"guard since.epoch == executor.position.epoch || isMutated("epoch-blind") else {"#),
            Edit(
                "Sources/ChangeFeed/FeedReceiver.swift", "guard header.epoch == position.epoch else {",
                #"guard header.epoch == position.epoch || isMutated("epoch-blind") else {"#),
        ])

    /// Every twentieth landmark is added without its note.
    public static let half = Mutation(
        "half", breaks: [.atomic],
        [
            Edit(
                rules + "CommandRunner+Landmarks.swift", "        if let note {\n",
                """
                        if let note, !isMutated("half") || head.rev % 20 != 0 {

                """)
        ])
}
