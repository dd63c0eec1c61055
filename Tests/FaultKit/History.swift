// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks

/// The requests of all clients, their answers, and the changes that they received.
public struct History: Sendable {
    /// The records of each writer.
    public var writes: [String: [WriteRecord]] = [:]
    /// The records of each feed, by process and number within it.
    public var feeds: [String: [FeedRecord]] = [:]

    public init(writes: [String: [WriteRecord]] = [:], feeds: [String: [FeedRecord]] = [:]) {
        (self.writes, self.feeds) = (writes, feeds)
    }

    /// Reads all histories in a folder: `NAME.writes` and `NAME.feeds`.
    public init(directory: String) throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: directory).sorted() {
            let name = (file as NSString).deletingPathExtension
            switch (file as NSString).pathExtension {
            case "writes":
                try Line.each(of: "\(directory)/\(file)") { line in
                    guard let record = WriteRecord.read(line) else {
                        throw FaultError("\(file) has a malformed line: \(line.rest(0))")
                    }
                    writes[name, default: []].append(record)
                }
            case "feeds":
                try Line.each(of: "\(directory)/\(file)") { line in
                    guard let (feed, record) = FeedRecord.read(line) else {
                        throw FaultError("\(file) has a malformed line: \(line.rest(0))")
                    }
                    feeds["\(name)/\(feed)", default: []].append(record)
                }
            default: continue
            }
        }
    }

    /// The position of each feed of one process, to resume from when the process starts again.
    public static func positions(_ path: String) throws -> [Int: Position] {
        var positions: [Int: Position] = [:]
        var epochs: [Int: (UUIDv7, UUIDv7?)] = [:]
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        try Line.each(of: path) { line in
            guard let (feed, record) = FeedRecord.read(line) else { return }
            switch record {
            case .epoch(let epoch, let run): epochs[feed] = (epoch, run)
            case .change(let rev, _, _), .reached(let rev), .synced(let rev):
                guard let (epoch, run) = epochs[feed] else { return }
                positions[feed] = Position(epoch: epoch, rev: rev, run: run)
            case .ended: positions[feed] = nil
            default: break
            }
        }
        return positions
    }
}
