// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import WaymarkClient
internal import WaymarkJSON

/// A page of landmarks: `landmarks[…] cursor truncated epoch rev storage_away`, or a GeoJSON FeatureCollection.
enum HitsAnswer {
    static func of(_ page: HitPage, isMeasured: Bool, isGeoJSON: Bool) -> WebAnswer {
        if isGeoJSON {
            var bytes = Array(GeoJSON.beginning.utf8)
            for (place, hit) in page.hits.enumerated() {
                if place > 0 { bytes += ",\n".utf8 }
                bytes += GeoJSON.feature(
                    hit.landmark, measured: isMeasured ? hit : nil, opening: page.openingAt == nil ? nil : hit)
            }
            bytes += GeoJSON.end.utf8
            var answer = WebAnswer(WebAnswer.geoJSON, bytes)
            if let cursor = page.cursor { answer.headers[.waymarkCursor] = CursorText.encode(cursor) }
            return answer
        }
        return WebAnswer(
            json: JSONWriter.line(room: 256 + 512 * page.hits.count) {
                $0.key("landmarks")
                $0.array { writer in
                    for hit in page.hits {
                        writer.object { $0.fields(hit, isMeasured: isMeasured, tellsOpening: page.openingAt != nil) }
                    }
                }
                $0.field("cursor", page.cursor.map(CursorText.encode))
                $0.field("truncated", page.isTruncated)
                if let moment = page.openingAt { $0.field("opening_at", time: moment) }
                $0.field("epoch", page.standing.position.epoch.description)
                $0.field("rev", page.standing.position.rev)
                $0.field("storage_away", page.standing.isStorageAway)
            })
    }
}
