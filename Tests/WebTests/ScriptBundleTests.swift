// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import MapPage

/// Modules as one script.
@Suite(.computing)
struct ScriptBundleTests {
    private static func bundle(_ main: String, _ others: [String: String] = [:]) throws -> String {
        let made = try ScriptBundle.make("main.js") { $0 == "main.js" ? main : others[$0] }
        return [made.first, made.later ?? ""].map {
            $0.split(separator: "\n").dropFirst().joined(separator: "\n")
        }.joined(separator: "\n")
    }

    @Test
    func modulesComeBeforeWhatImportsThem() throws {
        let main = """
            // Licence
            import { a, b as c } from "./one.js";
            import * as two from "./two.js";
            c(two.d);
            """
        let one = """
            // Licence
            import {
              d,
            } from "./two.js";
            export const a = d;
            export async function b() {}
            """
        let two = """
            /**
             * What it is.
             */
            export class d {}
            /** @type {import("./x.js").X} */
            let x = /** @type {X} */ (1);
            """
        let script = try Self.bundle(main, ["one.js": one, "two.js": two])
        #expect(
            script == """
                const $two = (() => {
                class d {}
                let x = (1);
                return { d };
                })();
                const $one = (() => {
                const { d } = $two;
                const a = d;
                async function b() {}
                return { a, b };
                })();
                const { a, b: c } = $one;
                const two = $two;
                c(two.d);

                """)
    }

    @Test("modules that are imported later are a second script, which gets the modules of the first")
    func later() throws {
        let script = try Self.bundle(
            "import { go } from \"./one.js\";\nexport function start() {}\ngo();\nimport(\"/assets/four.js\");",
            [
                "one.js": "export const go = () => import(\"./two.js\");",
                "two.js": """
                import { go } from "./one.js";
                import { near } from "./three.js";
                export const far = () => import("./three.js");
                """,
                "three.js": "export const near = 1;",
            ])
        #expect(
            script == """
                let asked$ = null;
                const load$ = async () => {
                const answer = await fetch("/assets/later.js");
                if (!answer.ok) throw answer;
                await answer.text();
                return (await import("/assets/later.js")).default({ later$, $one });
                };
                const later$ = (name) => (asked$ ??= load$().catch((error) => {
                asked$ = null;
                throw error;
                })).then((made) => made[name]);
                const $one = (() => {
                const go = () => later$("$two");
                return { go };
                })();
                const { go } = $one;
                function start() {}
                go();
                import("/assets/four.js");
                export { start };
                export default ({ later$, $one }) => {
                const $three = (() => {
                const near = 1;
                return { near };
                })();
                const $two = (() => {
                const { go } = $one;
                const { near } = $three;
                const far = () => later$("$three");
                return { far };
                })();
                return { $two, $three };
                };
                """)
    }

    @Test
    func onlyWhatBrowsersNeedIsSent() {
        let text = "// Licence\n/// A word.\nif (a) {\n  // Why.\n\n  b(`one\n  // two\n  three`);\n  c();\n}\n"
        #expect(
            ScriptBundle.code(text)
                == "// SPDX-License-Identifier: Apache-2.0\nif (a) {\nb(`one\n  // two\n  three`);\nc();\n}\n")
    }

    @Test(arguments: [
        "import \"./one.js\";", "import one from \"./one.js\";", "import { a } from \"one\";",
        "import { a } from './one.js';", "import { a } from \"./one.js\"", "import { b } from \"./one.js\";",
        "import { a as } from \"./one.js\";", "import { a } from \"./none.js\";",
        "import { a } from \"./one.js\"; a();", "import { a } from \"./circle.js\";", "let a = import(name);",
        "let a = await import('./one.js');", "new Worker(import.meta.url);", "export let a = 1;", "export default 1;",
        "export { a };", "export const { a } = b;", "export * from \"./one.js\";",
        "import { a } from \"./one.js\";\nimport(\"./one.js\");",
    ])
    func aFormThatIsNotKnownIsAnError(main: String) {
        let circle = "import { b } from \"./circle.js\";\nexport const a = 1;"
        #expect(throws: ScriptBundle.Problem.self) {
            try Self.bundle(main, ["one.js": "export const a = 1;", "circle.js": circle])
        }
    }
}
