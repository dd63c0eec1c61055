// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct KMLFormatTests {
    /// With what Google Earth and My Maps write around the places: styles, folders, views, and data of two kinds.
    private static let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" \
        xmlns:kml="http://www.opengis.net/kml/2.2">
        <Document><name>A walk</name>
          <gx:CascadingStyle kml:id="s1"><Style><IconStyle><scale>1.2</scale></IconStyle></Style></gx:CascadingStyle>
          <Folder><name>Harbour</name>
            <Placemark id="p1"><name>Opera &amp; House</name>
              <description><![CDATA[By the <b>water</b>]]></description>
              <LookAt><longitude>1</longitude><latitude>2</latitude></LookAt><styleUrl>#s1</styleUrl>
              <ExtendedData><Data name="Kind"><displayName>x</displayName><value>Opera House</value></Data>
                <Data name="rating"><value>4.5</value></Data><Data name="id"><value>7</value></Data></ExtendedData>
              <Point><gx:drawOrder>1</gx:drawOrder><coordinates>
                151.2153,-33.8568,4
              </coordinates></Point></Placemark>
            <Placemark><name><![CDATA[<Pool>]]></name><address>1 Notts Ave</address><phoneNumber>tel:1</phoneNumber>
              <description> https://a.example/?a=1&amp;b=2 </description>
              <ExtendedData><SchemaData schemaUrl="#x"><SimpleData name="CATEGORY">pool</SimpleData></SchemaData>
              </ExtendedData><Point><coordinates>2, 1 3,4</coordinates></Point></Placemark>
          </Folder>
          <Placemark><name>Way</name><LineString><coordinates>1,1 2,2</coordinates></LineString></Placemark>
          <Placemark><name>Both</name><MultiGeometry><Point><coordinates>1,1</coordinates></Point></MultiGeometry>
          </Placemark>
          <Placemark><name>Ride</name><gx:Track><gx:coord>1 2 3</gx:coord></gx:Track></Placemark>
          <Placemark><name>Lost</name><address>Somewhere</address></Placemark>
          <Placemark><name>Empty</name><Point/></Placemark>
          <Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>
          <Placemark><name>Far</name><Point><coordinates>2,91</coordinates></Point></Placemark>
          <Placemark/>
          <NetworkLink><Link><href>https://b.example/more.kml</href></Link></NetworkLink>
        </Document></kml>
        """

    @Test(arguments: [SourceFormat.auto, .kml])
    func readsPlacemarks(format: SourceFormat) throws {
        let rows = try format.rows(in: Self.file)
        #expect(rows.format == "kml" && rows.names == ["Opera & House", "<Pool>"])
        #expect(rows.rows.map(\.draft.kind) == ["opera_house", "pool"] && rows.rows[0].key == "7")
        #expect(rows.rows.map(\.draft.coordinate.latitude) == [-33.8568, 1])
        #expect(rows.rows.map(\.draft.coordinate.longitude) == [151.2153, 2])
        #expect(rows.rows.map(\.draft.link) == ["", "https://a.example/?a=1&b=2"])
        #expect(rows.rows[0].draft.attributes.rating == 4.5)
        #expect(rows.rows.map(\.draft.attributes.address) == ["", "1 Notts Ave"])
        #expect(rows.rows.map(\.draft.attributes.phone) == ["", "tel:1"])
        #expect(
            rows.reasons == [
                "The row has no coordinates.", "The row has no coordinates.", "The row has no name.",
                "The latitude 91.0 is not within -90 and 90 degrees.", "The row has no coordinates.",
            ])
        #expect(rows.rejected.first?.place == "line 23 (Lost)")
        #expect(
            rows.notices.map(\.text) == [
                "Placemarks that are lines, areas or models (3) were left out.",
                "Its network links (1) are not followed.",
            ])
    }

    @Test func elementsOfStrangersAreNotRead() throws {
        let text = """
            <kml xmlns="http://earth.google.com/kml/2.1" xmlns:x="urn:x"><x:Placemark><name>no</name></x:Placemark>\
            <Placemark><x:name>inner</x:name><name>Pier</name><Point><x:coordinates>9,9</x:coordinates>\
            <coordinates>2,1</coordinates><coordinates>3,3</coordinates></Point></Placemark></kml>
            """
        let rows = try SourceFormat.auto.rows(in: text)
        #expect(rows.names == ["Pier"] && rows.rows[0].draft.coordinate.latitude == 1 && rows.rejected.isEmpty)
    }

    @Test func depthIsBoundedAndCheap() {
        let deep = "<kml><Placemark>" + String(repeating: "<a>", count: 100)
        #expect(SourceFormat.kml.problem(with: deep) == .unreadable(.tooDeep(limit: XMLReader.depthLimit)))
        #expect(SourceFormat.kml.problem(with: "<kml><Placemark><name>a") != nil)
        #expect(SourceFormat.kml.problem(with: "<!DOCTYPE kml><kml/>")?.description.contains("document type") == true)
    }
}
