// SPDX-License-Identifier: Apache-2.0

import TestTurns
import Testing

@testable import MapPage

/// Scripts with short names.
@Suite(.computing)
struct ScriptNamesTests {
    private static func packed(_ script: String) throws -> String {
        let lines = try ScriptNames.packed("// Licence\n\(script)").split(separator: "\n")
        #expect(lines.first == "// Licence" && lines.count == 2)
        return String(lines.last ?? "")
    }

    @Test
    func whiteSpaceGoesExceptWhereItSeparatesOrIsText() throws {
        let script = #"""
            const far = (near, { lat, lng: east = 1, ...rest }, [first, , last]) => {
              // A reason.
              const text = `${near} is ${rest.map((each) => each / 2).join(" / ")} far`, wide = /[/"]+far/u.test(text) ? 1e-9 : .5;
              return { near, far: wide - -lat, text() { return east + +first; }, last };
            };
            """#
        #expect(
            try Self.packed(script) == #"""
                const g=(near,{lat,lng:b=1,...d},[c,,last])=>{const e=`${near} is ${d.map((a)=>a/2).join(" / ")} far`,f=/[/"]+far/u.test(e)?1e-9:.5;return{near,far:f- -lat,text(){return b+ +c},last}};
                """#)
    }

    @Test
    func aSemicolonBeforeABraceGoesUnlessItIsTheStatement() throws {
        let script = "{ for (;;) { go(); } while (go()); } { if (go()) { stop(); } else; }"
        #expect(try Self.packed(script) == "{for(;;){go()}while(go());}{if(go()){stop()}else;}")
    }

    @Test("names of properties, of exports and of the browser stay, and a name that is one of the browser's anywhere")
    func namesOfOthersStay() throws {
        let script = """
            class Box extends EventTarget {
              #size = 0;
              width = 1;
              static of(size) { return new Box(size); }
              get size() { return this.#size; }
              set(size) { this.#size = size in this ? size : #size in this; }
            }
            for (const box of document.boxes) if (history) box.set(2); else { Box.of(box); }
            function show(history) { return history?.size; }
            export { show };
            """
        let wanted = [
            "class b extends EventTarget{#a=0;width=1;static of(a){return new b(a)}get size(){return this.#a}",
            "set(a){this.#a=a in this?a:#a in this}}",
            "for(const c of document.boxes)if(history)c.set(2);else{b.of(c)}",
            "function show(history){return history?.size}export{show};",
        ]
        #expect(try Self.packed(script) == wanted.joined())
    }

    @Test(arguments: [
        "const a = 1\nconst b = 2;", "f(", "f)", "const a = \"b\n\";", "const a = `b ${c};", "/* a", "const a = /b",
        "const a = { b.c };", "const a, 1 = b;", "if (a) b {}",
    ])
    func aFormThatIsNotKnownIsAnError(script: String) {
        #expect(throws: ScriptBundle.Problem.self) { try ScriptNames.packed("// Licence\n\(script)") }
    }
}
