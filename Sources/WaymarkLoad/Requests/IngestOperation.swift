// SPDX-License-Identifier: Apache-2.0

public import Geodesy
import WaymarkProtocol

/// Adds many landmarks of one source in one request.
public struct IngestOperation: LoadOperation {
    public let name = "ingest"
    private var world: LoadWorld
    private let source: String
    private let run: String
    private let rows: Int
    private let all: UInt64

    /// - Parameters:
    ///   - rows: the number of rows in one request, up to `WaymarkProtocol.ingestRows`.
    ///   - run: a word unique to this run, which is the prefix of the keys of all rows.
    ///   - all: the number of rows in all requests together; the last request may have fewer rows than the others.
    public init(source: String, rows: Int, around: Coordinate?, seed: UInt64, run: String, of all: Int = .max) {
        world = LoadWorld(seed: seed, stream: 4, around: around)
        (self.source, self.rows, self.run, self.all) = (source, rows, run, UInt64(all))
    }

    public mutating func append(_ number: UInt64, to body: inout [UInt8]) {
        // The numbers of operations begin with 1.
        let first = (number - 1) * UInt64(rows)
        let count = min(UInt64(rows), all - min(all, first))
        var request = WireRequest()
        request.ingest.source = source
        request.ingest.rows = (0..<count).map { row in
            let (name, position) = (LoadName.make(first + row, &world), world.position())
            let kind = world.pick(LoadName.kinds)
            let draft = WireLandmarkDraft.with {
                ($0.name, $0.attributes.kind) = (name, kind)
                ($0.lat, $0.lng) = (position.latitude, position.longitude)
            }
            return WireSourceRow("\(run)\(first + row)", draft)
        }
        body += request.encoded
    }

    public func fault(_ reply: ReplyReader) -> String? {
        guard let told = reply.ingested else { return ReplyReader.unreadable }
        return told.isRejected || told.added == 0 ? "rejected_rows" : nil
    }
}
