// SPDX-License-Identifier: Apache-2.0

internal import Geodesy
internal import WaymarkClient
internal import WaymarkProtocol

/// Writes Mapbox Vector Tiles, version 2.1: protobuf with one layer of points.
///
/// A landmark that the tile lists is a point with its `id`, `name` and `kind`, and `count` 1. A cell with too many
/// landmarks is one point in its middle, with their `count`. Features have no ids, because an id of 128 bits does not fit.
struct VectorTile {
    static let contentType = "application/vnd.mapbox-vector-tile"
    static let layer = "landmarks"
    /// The names of the properties and their types in TileJSON, in the order of ``add(_:_:)``.
    static let properties = [("id", "String"), ("name", "String"), ("kind", "String"), ("count", "Number")]

    private enum TileField: UInt64, WireField { case layers = 3 }
    private enum LayerField: UInt64, WireField { case name = 1, features, keys, values, extent, version = 15 }
    private enum FeatureField: UInt64, WireField { case tags = 2, type, geometry }
    private enum ValueField: UInt64, WireField { case text = 1, number = 5 }
    private enum Value: Hashable { case text(String), number(Int) }

    private var features = WireWriter()
    private var values = WireWriter()
    private var numbers: [Value: UInt64] = [:]

    /// - Parameter names: the names of the listed landmarks, as far as they are known.
    init(_ contents: TileContents, of tile: MapTile, names: [Landmark.ID: String]) {
        for cell in contents.cells {
            let middle = (right: UInt32(cell.column * 64 + 32), down: UInt32(cell.row * 64 + 32))
            if cell.points.isEmpty { add(middle, [nil, nil, nil, .number(cell.count)]) }
            for point in cell.points {
                let (name, kind) = (names[point.id], point.kind?.isEmpty == false ? point.kind : nil)
                // A point at the edge may be rounded over it.
                add(
                    tile.steps(to: point.coordinate) ?? middle,
                    [.text("\(point.id)"), name.map(Value.text), kind.map(Value.text), .number(1)])
            }
        }
    }

    private mutating func add(_ place: (right: UInt32, down: UInt32), _ properties: [Value?]) {
        var (tags, geometry, feature) = (WireWriter(), WireWriter(), WireWriter())
        for (key, value) in properties.enumerated() {
            guard let value else { continue }
            tags.put(varint: UInt64(key))
            tags.put(varint: number(of: value))
        }
        // The command to move once, then both numbers in zigzag form.
        geometry.put(varint: 1 << 3 | 1)
        geometry.put(varint: UInt64(place.right) << 1)
        geometry.put(varint: UInt64(place.down) << 1)
        feature.message(FeatureField.tags, tags.bytes)
        // Points.
        feature.number(FeatureField.type, 1)
        feature.message(FeatureField.geometry, geometry.bytes)
        features.message(LayerField.features, feature.bytes)
    }

    /// Returns the number that stands for a value in this tile.
    private mutating func number(of value: Value) -> UInt64 {
        if let known = numbers[value] { return known }
        let number = UInt64(numbers.count)
        numbers[value] = number
        var encoded = WireWriter()
        switch value {
        case .text(let text): encoded.text(ValueField.text, text)
        case .number(let number): encoded.number(ValueField.number, UInt64(number))
        }
        values.message(LayerField.values, encoded.bytes)
        return number
    }

    /// The bytes of the tile; none for a tile without landmarks.
    var bytes: [UInt8] {
        guard !features.bytes.isEmpty else { return [] }
        var (layer, tile) = (WireWriter(), WireWriter())
        layer.text(LayerField.name, Self.layer)
        layer.bytes += features.bytes
        for (key, _) in Self.properties { layer.text(LayerField.keys, key) }
        layer.bytes += values.bytes
        layer.number(LayerField.extent, UInt64(MapTile.steps))
        layer.number(LayerField.version, 2)
        tile.message(TileField.layers, layer.bytes)
        return tile.bytes
    }
}
