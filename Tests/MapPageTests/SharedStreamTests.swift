// SPDX-License-Identifier: Apache-2.0

import TestBrowser
import TestTurns
import Testing

/// The modules of the shared stream without a service: the test plays the other side.
@Suite(.inTurn, .inBrowser, .serialized)
struct SharedStreamTests {
    @Test("a window that was hidden for a moment applies each change once")
    func eachChangeOnce() async throws {
        try await withMap { stage in
            try await stage.browser.open(stage.address)
            let told: [Int] = try await stage.browser.value(
                """
                return (async () => {
                  let port;
                  window.SharedWorker = class { constructor() { this.port = port = { postMessage() {} }; } };
                  const { Feed } = await import("/assets/feed.js"), feed = new Feed(), told = [];
                  feed.addEventListener("change", ({ detail }) => told.push(detail.rev));
                  feed.start(1);
                  const tell = (name, rev) => port.onmessage({ data: { name, id: `e-${rev}`, data: JSON.stringify({ rev }) } });
                  for (const rev of [7, 8, 7, 8, 9]) tell("added", rev);
                  tell("beacon", 9);
                  // Another history begins.
                  port.onmessage({ data: { name: "open", area: null, isNew: true } });
                  tell("added", 3);
                  return told;
                })();
                """)
            #expect(told == [7, 8, 9, 3])
        }
    }

    @Test("the stream begins again for a window that missed little, and not for one that missed much")
    func windowsThatReturn() async throws {
        try await withMap { stage in
            try await stage.browser.open(stage.address)
            let told: [String] = try await stage.browser.value(
                """
                return (async () => {
                  const opened = [], id = (rev) => `01933c6e-7f3a-7c21-9b0e-2f6d8a41c7e5-${rev}`;
                  window.EventSource = class {
                    static OPEN = 1;
                    readyState = 1;
                    on = {};
                    constructor(url) { opened.push(this); this.url = url; }
                    addEventListener(name, handler) { this.on[name] = handler; }
                    close() {}
                  };
                  const { join } = await import("/assets/stream.js");
                  const show = (since) => {
                    const port = { told: [], postMessage(message) { this.told.push(message); } };
                    join(port);
                    port.onmessage({ data: { box: null, since } });
                    return port;
                  };
                  show(null);
                  opened[0].onopen();
                  opened[0].on.added({ lastEventId: id(5000), data: "{}" });
                  const far = show(id(100));
                  show(id(4900));
                  return [`${far.told.map(({ name, isNew }) => `${name} ${isNew}`)}`, ...opened.map(({ url }) => url.slice(-5))];
                })();
                """)
            #expect(told == ["open true", "anges", "-4900"])
        }
    }
}
