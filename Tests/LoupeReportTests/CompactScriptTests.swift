import Testing

@testable import LoupeReport

@Suite struct CompactScriptTests {
    @Test func commentsAndIndentationAreLeftOutAndNothingElse() {
        let script = """
            'use strict';
            // What it is for.

            /** One line. */
            const a = /** @type {any} */ (b); // stays
            /**
             * Several lines.
             * @param {string} name
             */
            function f(name) {
                /* inside */
                const text = 'http://x/*' + `*/`;
                /** @type {number} */ (g)(text);
                return a
                    / 2;
            }
            """
        #expect(
            CompactScript.of(script) == """
                'use strict';
                const a = /** @type {any} */ (b); // stays
                function f(name) {
                const text = 'http://x/*' + `*/`;
                /** @type {number} */ (g)(text);
                return a
                / 2;
                }

                """)
        #expect(CompactScript.of("") == "")
    }
}
