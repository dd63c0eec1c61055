// SPDX-License-Identifier: Apache-2.0

public import Geodesy
import SwiftProtobuf
import WaymarkProtocol

/// What is near a place.
public struct NearOperation: LoadOperation {
    public let name = "near"
    private let pool: RequestPool
    private let limit: Int
    private let radius: Double?

    /// - Parameter radius: metres; nil: none.
    public init(limit: Int, radius: Double?, around: Coordinate?, seed: UInt64) {
        (self.limit, self.radius) = (limit, radius)
        var world = LoadWorld(seed: seed, stream: 1, around: around)
        pool = RequestPool {
            let position = world.position()
            return .with {
                $0.near.lat = position.latitude
                $0.near.lng = position.longitude
                $0.near.limit = UInt32(limit)
                if let radius { $0.near.radiusM = radius }
            }
        }
    }

    public func body(_ number: UInt64) -> [UInt8] { pool.body(number) }

    public func fault(_ reply: ReplyReader) -> String? {
        reply.areHits(atMost: limit, within: radius ?? .infinity, areMeasured: true) ? nil : ReplyReader.unreadable
    }
}

/// Words, looked for in names and notes.
public struct SearchOperation: LoadOperation {
    public let name = "search"
    private let pool: RequestPool
    private let limit: Int

    /// - Parameter texts: any of them is looked for; empty: words of generated names.
    public init(texts: [String], limit: Int, seed: UInt64) {
        self.limit = limit
        var world = LoadWorld(seed: seed, stream: 2)
        pool = RequestPool {
            let text =
                texts.isEmpty ? "\(world.pick(LoadName.adjectives)) \(world.pick(LoadName.nouns))" : world.pick(texts)
            return .with {
                $0.search.text = text
                $0.search.limit = UInt32(limit)
            }
        }
    }

    public func body(_ number: UInt64) -> [UInt8] { pool.body(number) }

    public func fault(_ reply: ReplyReader) -> String? {
        reply.areHits(atMost: limit, areMeasured: false) ? nil : ReplyReader.unreadable
    }
}

/// Adds a landmark whose name nobody else has.
public struct WriteOperation: LoadOperation {
    public let name = "write"
    private var world: LoadWorld
    private let run: String

    /// - Parameter run: a word that no other run has: it ends the names.
    public init(around: Coordinate?, seed: UInt64, run: String) {
        world = LoadWorld(seed: seed, stream: 3, around: around)
        self.run = run
    }

    public mutating func body(_ number: UInt64) -> [UInt8] {
        let (name, position) = (LoadName.make(number, &world), world.position())
        let kind = world.pick(LoadName.kinds)
        let request = WireRequest.with {
            $0.add.draft = .with {
                ($0.name, $0.kind) = ("\(name) \(run)", kind)
                ($0.lat, $0.lng) = (position.latitude, position.longitude)
            }
        }
        return request.encodedBody
    }

    public func fault(_ reply: ReplyReader) -> String? { reply.isWritten ? nil : ReplyReader.unreadable }
}

/// Adds many landmarks of one source at once.
public struct IngestOperation: LoadOperation {
    public let name = "ingest"
    private var world: LoadWorld
    private let source: String
    private let run: String
    private let rows: Int
    private let all: UInt64

    /// - Parameters:
    ///   - rows: of one request, up to ``WaymarkProtocol/ingestRows``.
    ///   - run: a word that no other run has: it begins the keys.
    ///   - all: rows of all requests together; the last one has fewer.
    public init(source: String, rows: Int, around: Coordinate?, seed: UInt64, run: String, of all: Int = .max) {
        world = LoadWorld(seed: seed, stream: 4, around: around)
        (self.source, self.rows, self.run, self.all) = (source, rows, run, UInt64(all))
    }

    public mutating func body(_ number: UInt64) -> [UInt8] {
        // Numbers begin with 1.
        let first = (number - 1) * UInt64(rows)
        let count = min(UInt64(rows), all - min(all, first))
        var request = WireRequest()
        request.ingest.source = source
        request.ingest.rows = (0..<count).map { row in
            let (name, position) = (LoadName.make(first + row, &world), world.position())
            let kind = world.pick(LoadName.kinds)
            return .with {
                $0.key = "\(run)\(first + row)"
                $0.draft = .with {
                    ($0.name, $0.kind) = (name, kind)
                    ($0.lat, $0.lng) = (position.latitude, position.longitude)
                }
            }
        }
        return request.encodedBody
    }

    public func fault(_ reply: ReplyReader) -> String? {
        guard let told = reply.ingested else { return ReplyReader.unreadable }
        return told.isRejected || told.added == 0 ? "rejected_rows" : nil
    }
}
