// SPDX-License-Identifier: Apache-2.0

internal import CGazetteer
internal import FoundationEssentials
public import Geodesy
internal import Glibc
import Synchronization

/// Towns of the world, found by name or by position without a network. The data comes from GeoNames (CC BY 4.0).
public struct Gazetteer: Sendable {
    /// The attribution that must be shown with results.
    public static let attribution = "Places: GeoNames.org, CC BY 4.0"

    /// The maximum number of matches that a search returns.
    public static let mostMatches = 100

    private let file: GazetteerFile
    private let words: NarrowingWords
    let tiles: TownTiles

    /// Returns the gazetteer inside the program, which is loaded at the first use and then kept.
    public static func embedded() throws(GazetteerError) -> Gazetteer { try loaded.get() }

    private static let loaded = Result<Gazetteer, GazetteerError> { () throws(GazetteerError) in
        var count = 0
        let start = waymark_gazetteer(&count)
        // The array is a constant of the program, so the pointer stays valid.
        let file = UnsafeBufferPointer(start: start, count: count)
        return try Gazetteer(unpacked: GazetteerPacking.unpacked(file))
    }

    /// Reads a file that `waymark-gazetteer build` made.
    public init(path: String) throws(GazetteerError) {
        var about = stat()
        guard stat(path, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path) }
        guard (1...GazetteerPacking.mostPackedBytes).contains(about.st_size) else { throw .damaged }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { throw .unreadable(path: path) }
        try self.init(bytes: Array(bytes))
    }

    /// Reads the bytes of a file that `waymark-gazetteer build` made.
    public init(bytes: [UInt8]) throws(GazetteerError) {
        let unpacked = try bytes.withUnsafeBufferPointer { (file) throws(GazetteerError) in
            try GazetteerPacking.unpacked(file)
        }
        try self.init(unpacked: unpacked)
    }

    init(unpacked bytes: [UInt8]) throws(GazetteerError) {
        file = try GazetteerFile(unpacked: bytes)
        words = NarrowingWords(file.tables)
        tiles = TownTiles(file)
    }

    /// The number of places.
    public var count: Int { file.places }

    /// Returns the place of this row, 0 to ``count`` - 1; otherwise nil.
    package func place(at row: Int) -> Place? { file.place(row) }

    /// Returns the places that a text may mean: exact names, then names that begin with the text, then names with one
    /// typing mistake; the largest first within each class. Regions and countries after the name narrow the search,
    /// with or without commas, as in `"City, Region, Country"`.
    ///
    /// - Parameters:
    ///   - text: the text. A text of more than 200 bytes finds nothing.
    ///   - focus: the position near which places come first within each class; nil for the whole earth.
    public func find(_ text: String, limit: Int = 10, focus: Coordinate? = nil) -> [PlaceMatch] {
        guard text.utf8.count <= 200 else { return [] }
        var search = PlaceSearch(file, focus: focus, limit: min(limit, Self.mostMatches))
        return search.run(text, words)
    }

    /// Returns the town and the surroundings of a position; nil if no place is within 500 km.
    public func surroundings(of position: Coordinate) -> PlaceSurroundings? {
        let reverse = PlaceReverse(file: file)
        for reach in PlaceReverse.reaches {
            let neighbours = reverse.within(reach, of: position)
            // Far from all towns, the nearest town describes the position best.
            let nearest = neighbours.min { $0.distance < $1.distance }
            let isNear = reach == PlaceReverse.reaches[0]
            guard let best = isNear ? reverse.best(of: neighbours) : nearest, let nearest,
                let town = file.place(best.row)
            else { continue }
            let bearing = Geodesic.inverse(from: town.coordinate, to: position).azimuth
            return PlaceSurroundings(
                nearest: nearest.row == best.row ? nil : file.place(nearest.row), town: town,
                distance: best.distance, bearing: bearing)
        }
        return nil
    }

    /// Returns the time zone of the nearest place within 500 km, such as `Australia/Sydney`. It is an assumption, which
    /// is right for some 98 of 100 positions on land.
    public func zone(at position: Coordinate) -> String? {
        let reverse = PlaceReverse(file: file)
        // Where towns are dense, a small circle contains few towns, among which the nearest is found quickly.
        for reach in [5] + PlaceReverse.reaches {
            let nearest = reverse.within(reach, of: position).filter { file.zone($0.row) != nil }
                .min { $0.distance < $1.distance }
            if let nearest { return file.zone(nearest.row) }
        }
        return nil
    }

    private static let configured = Mutex<[String: Gazetteer]>([:])

    /// Returns a service's gazetteer: the file at `path`, or the gazetteer inside the program if `path` is nil. A file
    /// is loaded at its first use and then kept, so that it takes memory only once.
    public static func configured(_ path: String?) throws(GazetteerError) -> Gazetteer {
        guard let path else { return try embedded() }
        if let known = configured.withLock({ $0[path] }) { return known }
        let gazetteer = try Gazetteer(path: path)
        configured.withLock { $0[path] = gazetteer }
        return gazetteer
    }
}
