// SPDX-License-Identifier: Apache-2.0

public import Geodesy
import WaymarkProtocol

/// A query, whose requests are made before the run.
public struct ReadOperation: LoadOperation {
    public let name: String
    private let pool: RequestPool
    private let isRight: @Sendable (ReplyReader) -> Bool

    /// Makes queries of the landmarks near a position.
    ///
    /// - Parameters:
    ///   - radius: the radius in metres; nil for no limit.
    ///   - isChecked: whether to check each answer in full: the number of hits, their order and the radius. If false,
    ///     only the type of the answer is checked.
    public static func near(
        limit: Int, radius: Double?, around: Coordinate?, seed: UInt64, isChecked: Bool = false
    ) -> ReadOperation {
        var world = LoadWorld(seed: seed, stream: 1, around: around)
        let pool = RequestPool {
            let position = world.position()
            return .with {
                $0.near.lat = position.latitude
                $0.near.lng = position.longitude
                $0.near.limit = UInt32(limit)
                if let radius { $0.near.radiusM = radius }
            }
        }
        return ReadOperation(name: "near", pool: pool) { reply in
            isChecked
                ? reply.areHits(atMost: limit, within: radius ?? .infinity, areMeasured: true) : reply.result == .hits
        }
    }

    /// Makes searches for words in names and notes.
    ///
    /// - Parameters:
    ///   - texts: the texts from which each search chooses one; if empty, searches use words of generated names.
    ///   - isChecked: whether to count the hits of each answer. If false, only the type of the answer is checked.
    public static func search(texts: [String], limit: Int, seed: UInt64, isChecked: Bool = false) -> ReadOperation {
        var world = LoadWorld(seed: seed, stream: 2)
        let pool = RequestPool {
            let text =
                texts.isEmpty ? "\(world.pick(LoadName.adjectives)) \(world.pick(LoadName.nouns))" : world.pick(texts)
            return .with {
                $0.search.text = text
                $0.search.limit = UInt32(limit)
            }
        }
        return ReadOperation(name: "search", pool: pool) { reply in
            isChecked ? reply.areHits(atMost: limit, areMeasured: false) : reply.result == .hits
        }
    }

    public func append(_ number: UInt64, to body: inout [UInt8]) { pool.append(number, to: &body) }
    public func fault(_ reply: ReplyReader) -> String? { isRight(reply) ? nil : ReplyReader.unreadable }
}

/// Requests of `GET /v1/near`, which are made before the run. The positions are those of ``ReadOperation``.
public struct WebNear: Sendable {
    private let pool: RequestPool

    /// - Parameter radius: the radius in metres; nil for no limit.
    public init(_ origin: HTTPOrigin, limit: Int, radius: Double?, around: Coordinate?, seed: UInt64) {
        var world = LoadWorld(seed: seed, stream: 1, around: around)
        pool = RequestPool(RequestPool.size) {
            let place = world.position()
            var query = "lat=\(Self.decimal(place.latitude))&lng=\(Self.decimal(place.longitude))&limit=\(limit)"
            if let radius { query += "&radius=\(Self.decimal(radius))" }
            return origin.request("/v1/near?\(query)")
        }
    }

    public func append(_ number: UInt64, to request: inout [UInt8]) { pool.append(number, to: &request) }

    /// Formats a number of degrees or metres with seven decimals. The interface reads no exponent.
    private static func decimal(_ number: Double) -> String {
        let units = Int64((min(abs(number), 1e9) * 1e7).rounded())
        let parts = units.quotientAndRemainder(dividingBy: 10_000_000)
        return (number < 0 ? "-" : "") + "\(parts.quotient)." + "\(10_000_000 + parts.remainder)".dropFirst()
    }
}

/// Adds a landmark with a unique name.
///
/// The requests are encoded before the run. Only the bytes that must differ are overwritten each time: the number in
/// the name, and the latitude, which changes slightly with each pass through the pool of requests.
public struct WriteOperation: LoadOperation {
    public let name = "write"
    /// The number of digits in a landmark's name.
    static let digits = 10
    /// The change of the latitude, in degrees, from one pass through the pool to the next: about a metre. After `steps`
    /// passes the latitudes start over.
    private static let step = 1e-5
    private static let steps: UInt64 = 1_000

    private let pool: RequestPool
    /// For each request of the pool: the offsets of its number and of its latitude, and the original latitude.
    private var marks: [(number: Int, latitude: Int, degrees: Double)] = []

    /// - Parameters:
    ///   - run: a word unique to this run, which is the suffix of the names of all landmarks.
    ///   - kind: the kind of all landmarks; nil for various kinds.
    public init(around: Coordinate?, seed: UInt64, run: String, kind: String? = nil) {
        var world = LoadWorld(seed: seed, stream: 3, around: around)
        let blank = String(repeating: "0", count: Self.digits)
        var degrees: [Double] = []
        pool = RequestPool {
            let (name, position) = (LoadName.make(blank, &world), world.position())
            // Draw a kind even if it is not used, so that the same seed makes the same positions.
            let drawn = world.pick(LoadName.kinds)
            degrees.append(position.latitude)
            return .with {
                $0.add.draft = .with {
                    ($0.name, $0.attributes.kind) = ("\(name) \(run)", kind ?? drawn)
                    ($0.lat, $0.lng) = (position.latitude, position.longitude)
                }
            }
        }
        marks = degrees.enumerated().map { place, degrees in
            let request = pool.bytes[pool.starts[place]..<pool.starts[place + 1]]
            // The latitude has 8 bytes after a tag of 1 byte. A latitude of 0 is not encoded, so it never changes.
            let latitude = Self.find(Self.latitude(degrees), in: request).map { $0 + 1 } ?? 0
            return (Self.find(Array(blank.utf8), in: request) ?? 0, latitude, degrees)
        }
    }

    public func append(_ number: UInt64, to body: inout [UInt8]) {
        let (start, mark) = (body.count, marks[pool.place(number)])
        pool.append(number, to: &body)
        var rest = number
        for digit in 1...Self.digits {
            body[start + mark.number + Self.digits - digit] = UInt8(48 + rest % 10)
            rest /= 10
        }
        guard mark.latitude > 0 else { return }
        let turn = number / UInt64(RequestPool.size) % Self.steps
        // Change the latitude towards the equator, so that it stays valid.
        let degrees = mark.degrees - (mark.degrees < 0 ? -1 : 1) * Double(turn) * Self.step
        body.withUnsafeMutableBytes {
            $0.storeBytes(of: degrees.bitPattern.littleEndian, toByteOffset: start + mark.latitude, as: UInt64.self)
        }
    }

    public func fault(_ reply: ReplyReader) -> String? { reply.isWritten ? nil : ReplyReader.unreadable }

    private static func latitude(_ degrees: Double) -> [UInt8] {
        var wire = WireWriter()
        wire.optional(DraftField.lat, degrees)
        return wire.bytes
    }

    /// Returns the offset of `part` in `whole`; nil if `whole` does not contain it.
    private static func find(_ part: [UInt8], in whole: ArraySlice<UInt8>) -> Int? {
        (0...max(0, whole.count - part.count)).first { whole.dropFirst($0).starts(with: part) }
    }
}

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
