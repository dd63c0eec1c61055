// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// Tiles that are not what a service sends: cut, changed, too large, or of random bytes.
@Suite(.inTurn, .inBrowser, .serialized)
struct TileBytesTests {
    /// Two right tiles, and mutations of them by a seeded generator.
    private static let kit = """
        let state = 20261123;
        const random = (below) => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return Math.floor(state / 2 ** 32 * below);
        };
        const varint = (value) => {
          const bytes = [];
          for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
          return [...bytes, value];
        };
        const kind = (word) => [...varint(word.length), ...new TextEncoder().encode(word)];
        const int32 = (degrees) => [...new Uint8Array(new Int32Array([degrees * 1e7]).buffer)];
        const point = (about) => [...Array.from({ length: 16 }, () => random(256)), about, ...int32(-33.8), ...int32(151.2)];
        const small = [1, 1, ...kind("view"), 2, 0, 10, 1, 3, ...point(129)];
        const large = [1, 2, ...kind("beach"), ...kind(""), ...varint(900)];
        for (let cell = 0; cell < 900; cell += 1) {
          const count = 1 + random(4);
          large.push(random(4), ...(cell % 3 ? varint(2 * random(1e6) + 2) : varint(2 * count + 1)));
          for (let each = 0; !(cell % 3) && each < count; each += 1) large.push(...point(random(2) * 128 + random(3)));
        }
        const mutate = (right) => {
          let bytes = [...right];
          switch (random(7)) {
            case 0: return bytes.slice(0, random(bytes.length));
            case 1: for (let left = 1 + random(8); left; left -= 1) bytes[random(bytes.length)] ^= 1 << random(8); return bytes;
            case 2: return [...bytes, ...Array.from({ length: 1 + random(40) }, () => random(256))];
            case 3: return [1, ...Array.from({ length: random(200) }, () => random(256))];
            // Numbers without an end, and the greatest ones, at any place.
            case 4: bytes.splice(random(bytes.length), random(3), ...Array(1 + random(400)).fill(255)); return bytes;
            case 5: bytes.splice(1 + random(20), 1, ...varint(2 ** (20 + random(34)))); return bytes;
            default: return [...bytes, ...Array(65536 * random(3)).fill(random(256))];
          }
        };
        """

    private struct Found: Decodable {
        var right: [Int]
        var read: Int
        var refused: Int
        var wrong: [String]
        var slowest: Double
        var grown: Double
    }

    @Test
    func whatIsNotATileIsRefused() async throws {
        try await withMap { stage in
            let browser = stage.browser
            try await browser.open(stage.address)
            let found: Found = try await browser.value(
                Self.kit + """
                    return (async () => {
                      const { decode } = await import("/assets/tilebytes.js"), { Tile } = await import("/assets/tile.js");
                      const found = { right: [], read: 0, refused: 0, wrong: [], slowest: 0, grown: 0 };
                      for (const bytes of [small, large]) {
                        const { cells } = decode(Uint8Array.from(bytes));
                        found.right.push(cells.size);
                      }
                      const before = performance.memory.usedJSHeapSize;
                      for (let number = 0; number < 4000; number += 1) {
                        const bytes = Uint8Array.from(mutate(number % 2 ? small : large)), begun = performance.now();
                        const tile = new Tile(0, 0, 0);
                        tile.fill(Uint8Array.from(small), "right");
                        const count = tile.count;
                        try {
                          tile.fill(bytes, "wrong");
                          found.read += 1;
                          const items = tile.items();
                          // What is shown is bounded by the bytes, and can be drawn.
                          if (items.length > bytes.length || !items.every(({ x, y, count }) =>
                            [x, y].every((each) => each > -1 && each < 2) && count >= 1 && count < 2 ** 32)) found.wrong.push(`${number}: ${bytes}`.slice(0, 300));
                        } catch (error) {
                          found.refused += 1;
                          // What it showed before, it still shows.
                          if (tile.count !== count || tile.tag !== "right" || !(error instanceof Error)) found.wrong.push(`${number}: ${error}`);
                        }
                        found.slowest = Math.max(found.slowest, performance.now() - begun);
                      }
                      found.grown = performance.memory.usedJSHeapSize - before;
                      return found;
                    })();
                    """)
            print("Hostile tiles: \(found.read) read, \(found.refused) refused, the slowest \(found.slowest) ms")
            #expect(found.right == [2, 900])
            #expect(found.wrong.isEmpty, "\(found.wrong.prefix(3))")
            #expect(found.read + found.refused == 4_000 && found.refused > 2_500 && found.read > 100)
            // A loop without an end would not come here; one that a number's size drives would take minutes.
            #expect(found.slowest < 5_000)
            #expect(found.grown < 100_000_000)
        }
    }

    /// The page stays alive while each answer is bad, and shows the map when they are good again.
    @Test
    func thePageOutlivesBadTiles() async throws {
        try await withHarbour { stage, browser in
            let hook = """
                window.failures = []; window.bad = 0; window.isBad = true;
                addEventListener("error", (event) => window.failures.push(String(event.message)));
                addEventListener("unhandledrejection", (event) => window.failures.push(String(event.reason)));
                const ask = window.fetch;
                window.fetch = async (...rest) => {
                  const answer = await ask(...rest);
                  if (!window.isBad || !String(rest[0]).includes("/v1/tiles/") || !answer.ok) return answer;
                  const bytes = mutate(new Uint8Array(await answer.arrayBuffer()));
                  bytes[0] = random(2) * 7;
                  window.bad += 1;
                  return new Response(Uint8Array.from(bytes), { status: 200, headers: { ETag: '"bad"' } });
                };
                """
            try await browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": Self.kit + hook])
            try await browser.open("about:blank")
            try await stage.openPage("#at=14/-33.86/151.21", listing: 5)
            try await browser.wait("some bad tiles", "window.bad >= 3")
            // Changes come, and the map is moved, while nothing of it can be read.
            try await stage.add("Kiosk", -33.86, 151.21)
            try await stage.listed(6)
            for key in [Key.left, .right] {
                let before: String = try await browser.value("return location.hash")
                try await pressOnMap(key, browser)
                try await browser.wait("another view", "location.hash !== arguments[0]", before)
            }
            let bad: Int = try await browser.value("return window.bad")
            try await browser.wait("more of them", "window.bad > Number(arguments[0])", "\(bad)")
            try await pressOnMap(.enter, browser)
            try await browser.wait(
                "that nothing is known",
                "document.querySelector('#notice').innerText.includes('Nothing lies at the centre')")
            #expect(try await browser.value("return window.failures.join()") == "")
            // Good again: what lies at the centre opens, as soon as its tile has come.
            try await browser.run("window.isBad = false")
            let isOpen = "document.querySelector('#detail h2')?.textContent === 'Kiosk'"
            for _ in 0..<80 {
                try await pressOnMap(.enter, browser)
                if try await browser.value("return new Promise(done => setTimeout(() => done(\(isOpen)), 500))") {
                    break
                }
            }
            #expect(try await browser.value("return \(isOpen)"))
            #expect(try await browser.value("return window.failures.join()") == "")
        }
    }
    private func pressOnMap(_ key: Key, _ browser: Browser) async throws {
        try await browser.run("document.querySelector('#map').focus()")
        try await browser.press(key)
    }
}
