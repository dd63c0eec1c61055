// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import Ingest

@Suite(.inShortTurn)
struct GPXFormatTests {
    private static let file = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- made by hand -->
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
          <metadata><name>A walk</name></metadata>
          <wpt lat="-33.8568" lon="151.2153">
            <ele>4</ele><name>Opera &amp; House &#x1F3B5;</name><sym>Flag</sym>
            <link href="https://a.example/?a=1&amp;b=2"><text>more</text></link>
            <extensions><x:name>inner</x:name></extensions>
          </wpt>
          <wpt lat='1' lon='2'><name><![CDATA[<Pool>]]></name><type>pool</type></wpt>
          <wpt lat="91" lon="2"><desc>beyond</desc></wpt>
          <wpt lon="2"><name>nowhere</name></wpt>
          <wpt lat="1" lon="2"/>
          <rte><rtept lat="1" lon="1"><name>on the way</name></rtept></rte>
          <trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>
        </gpx>
        """

    @Test(arguments: [SourceFormat.auto, .gpx])
    func readsWaypoints(format: SourceFormat) throws {
        let rows = try format.rows(in: Self.file)
        #expect(rows.format == "gpx")
        #expect(rows.names == ["Opera & House 🎵", "<Pool>"])
        #expect(rows.rows.map(\.draft.kind) == ["flag", "pool"])
        #expect(rows.rows[0].draft.link == "https://a.example/?a=1&b=2")
        #expect(rows.rows[0].draft.coordinate.latitude == -33.8568)
        #expect(
            rows.refusals == [
                "line 11 (beyond): The latitude 91.0 is not within -90 and 90 degrees.",
                "line 12 (nowhere): The row has no latitude.",
                "line 13: The row has no name: neither name, desc nor cmt has any text.",
            ])
        #expect(rows.notices.count == 2)
    }

    /// By "Namespaces in XML 1.0": a name belongs to GPX by its namespace, which its prefix, or no prefix, stands for.
    @Test(arguments: [
        """
        <gpx xmlns="http://www.topografix.com/GPX/1/0" xmlns:t="urn:x"><wpt lat="46.7" lon="-92.1"><t:name>inner</t:name>\
        <name>Pier</name><t:name>inner</t:name><t:type>other</t:type><type>pier</type><t:link href="https://a.example"/>\
        <link href="https://b.example"/></wpt><t:wpt lat="1" lon="2"><name>not one</name></t:wpt></gpx>
        """,
        // No prefix is declared, and the stranger's namespace is the default one of its elements.
        """
        <gpx><wpt lat="46.7" lon="-92.1"><name xmlns="urn:x">inner</name><type xmlns='urn:x'>other</type>\
        <link xmlns="urn:x" href="https://a.example"/><name>Pier</name><type>pier</type><link href="https://b.example"/></wpt>\
        <wpt xmlns="urn:x" lat="1" lon="2"><name>not one</name></wpt></gpx>
        """,
        // GPX has a prefix itself, and another one for the same namespace.
        """
        <g:gpx xmlns:g="urn:gpx" xmlns:h="urn:gpx" xmlns="urn:x"><g:wpt lat="46.7" lon="-92.1"><name>inner</name>\
        <h:name>Pier</h:name><type>other</type><g:type>pier</g:type><link href="https://a.example"/>\
        <g:link href="https://b.example"/></g:wpt><wpt lat="1" lon="2"><name>not one</name></wpt></g:gpx>
        """,
        // A prefix that nobody declares.
        """
        <gpx><wpt lat="46.7" lon="-92.1" t:lat="1"><t:name>inner</t:name><name>Pier</name><t:type>other</t:type><type>pier</type>\
        <t:link href="https://a.example"/><link href="https://b.example"/></wpt><t:wpt lat="1" lon="2"/></gpx>
        """,
    ])
    func elementsOfStrangersAreNotRead(text: String) throws {
        let rows = try SourceFormat.auto.rows(in: text)
        #expect(rows.names == ["Pier"] && rows.refusals.isEmpty)
        #expect(rows.rows.map(\.draft.kind) == ["pier"] && rows.rows.map(\.draft.link) == ["https://b.example"])
    }

    @Test func ofRepeatedElementsTheFirstWithTextCounts() throws {
        let rows = try SourceFormat.gpx.rows(
            in: """
                <gpx><wpt lat="1" lon="2"><name/><name> </name><name>A<!-- x --> &amp; <![CDATA[B]]></name><name>C</name>\
                <type>pier</type><desc>far</desc><type>pool</type><url>https://a.example</url><url>https://b.example</url></wpt>\
                </gpx>
                """)
        #expect(rows.names == ["A & B"] && rows.rows[0].draft.kind == "pier")
        #expect(rows.rows[0].draft.link == "https://a.example")
    }

    @Test func otherMarkupIsRefused() {
        for format in [SourceFormat.auto, .gpx, .kml] {
            #expect(format.problem(with: "<osm><node/></osm>") == .unreadable(.xml))
            #expect(format.problem(with: "<!DOCTYPE html><html></html>") == .unreadable(.html))
        }
        #expect(SourceFormat.csv.problem(with: "<gpx/>") == .unreadable(.xml))
        #expect(SourceFormat.gpx.problem(with: "<kml><Placemark/></kml>") == .unreadable(.xml))
        #expect(SourceFormat.gpx.problem(with: "[]") != nil)
    }

    @Test(arguments: [
        ("<gpx><wpt></gpx>", "an element is closed that is not open"), ("<gpx><wpt lat=1/></gpx>", "in quotes"),
        ("<gpx><wpt lat=\"1></gpx>", "not closed"), ("<gpx><wpt lat></wpt></gpx>", "has no value"),
        ("<gpx><wpt><name>a &b; c</name></wpt></gpx>", "no reference"),
        ("<gpx>&#xD800;</gpx>", "no reference"), ("<gpx><wpt>", "cut off"), ("<gpx><!-- x", "cut off"),
        ("<gpx></gpx><gpx/>", "follows the last element"), ("<gpx/>text", "outside"), ("<gpx><", "a name"),
        ("<gpx><wpt lat=\"1\"", "cut off"), ("<gpx><![CDATA[ ]]", "cut off"),
        ("<gpx><!ENTITY a \"b\"></gpx>", "document type"), ("<gpx><wpt lat='1' lat='2'/></gpx>", "twice"),
    ])
    func whatBreaksTheGrammarIsRefused(text: String, problem: String) {
        guard case .broken("XML", line: 1, problem: let found)? = SourceFormat.gpx.problem(with: text) else {
            Issue.record("\(text): \(String(describing: SourceFormat.gpx.problem(with: text)))")
            return
        }
        #expect(found.contains(problem))
    }

    @Test(arguments: [
        "<!-- by hand --><gpx><wpt lat='53' lon='5'><name>Lock</name></wpt></gpx>",
        "\u{feff}<?xml version='1.0'?><!-- a > b --><?style?>\n<!----><gpx><wpt lat='53' lon='5'><name>Lock</name></wpt></gpx>",
    ])
    func aCommentMayStandFirst(text: String) throws {
        for format in [SourceFormat.auto, .gpx] { #expect(try format.rows(in: text).names == ["Lock"]) }
    }

    @Test(arguments: [
        "<!-- saved --><!DOCTYPE html><html></html>", "<?xml version='1.0'?><!DOCTYPE HTML PUBLIC 'x'><html/>",
        "<?xml version='1.0'?>\n<!-- a --> <html xmlns='x'/>",
    ])
    func aPageBehindACommentIsAPage(text: String) {
        for format in [SourceFormat.auto, .gpx, .csv] { #expect(format.problem(with: text) == .unreadable(.html)) }
    }

    @Test func theReasonIsTheDocumentType() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE gpx>\n<gpx><wpt lat='46' lon='9'><name>Pier</name></wpt></gpx>"
        for format in [SourceFormat.auto, .gpx] {
            #expect(
                format.problem(with: text)
                    == .broken("XML", line: 2, problem: "it declares a document type, which is not read"))
        }
        for text in ["<!-- never closed", "<? never closed", "<!-- a -->"] {
            let problem = SourceFormat.auto.problem(with: text)
            #expect(problem != nil && problem != .unreadable(.html))
        }
    }

    /// Document types are refused, so nothing is fetched and the text cannot grow.
    @Test func aDocumentTypeIsRefused() {
        let bomb = #"<!DOCTYPE gpx [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]><gpx><wpt>&b;</wpt></gpx>"#
        guard case .broken("XML", _, let problem)? = SourceFormat.gpx.problem(with: bomb) else {
            Issue.record("it was read")
            return
        }
        #expect(problem.contains("document type"))
    }

    @Test func depthAndAttributesAreBounded() {
        #expect(
            SourceFormat.gpx.problem(with: "<gpx>" + String(repeating: "<a>", count: 100_000))
                == .unreadable(.tooDeep(limit: XMLReader.depthLimit)))
        let attributes = (0..<100).map { "a\($0)=\"\"" }.joined(separator: " ")
        guard case .broken? = SourceFormat.gpx.problem(with: "<gpx \(attributes)/>") else {
            Issue.record("100 attributes were taken")
            return
        }
        let declared = (0..<40).map { "<a xmlns:p\($0)='x' xmlns:q\($0)='y'>" }.joined()
        let problem = SourceFormat.gpx.problem(with: "<gpx>\(declared)")
        guard case .broken(_, _, "it declares too many namespaces")? = problem else {
            Issue.record("80 namespaces were taken")
            return
        }
        // Those of elements that have ended do not count.
        let ended = String(repeating: "<a xmlns='x'/><b xmlns:y='x'></b>", count: 200)
        #expect(SourceFormat.gpx.problem(with: "<gpx>\(ended)</gpx>") == nil)
    }
}
