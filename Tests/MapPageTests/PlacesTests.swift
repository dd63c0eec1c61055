// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

@Suite(.inTurn, .inBrowser, .serialized)
struct PlacesTests {
    @Test
    func theSearchFindsTownsAndALandmarkSaysWhereItIs() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await stage.add("Opera House", -33.8568, 151.2153)
            try await stage.openPage("#at=14/-33.86/151.21", listing: 1)
            try await browser.run("document.querySelector('#query').focus()")
            try await browser.type("patiala punjab")
            try await browser.wait(
                "the town",
                "document.querySelector('#places button')?.textContent === 'Patiāla, Punjab, India'")
            try await browser.wait("the source", "document.querySelector('#places').innerText.includes('GeoNames')")
            try await browser.run("document.querySelector('#places button').click()")
            try await browser.wait("the town on the map", "location.hash.includes('at=12/30.3')")

            try await browser.run(
                "const q = document.querySelector('#query'); q.value = ''; q.dispatchEvent(new Event('input'))")
            try await browser.wait("no towns", "document.querySelector('#places').hidden")
            try await browser.run("document.querySelector('#list button').click()")
            try await browser.wait(
                "where it is",
                """
                document.querySelector('#detail').innerText.includes('of Sydney, New South Wales, Australia')
                  && document.querySelector('#detail').innerText.includes('GeoNames')
                """)
        }
    }
}
