// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Asks for a secret on a terminal, which does not show what is typed.
enum SecretPrompt {
    /// - Returns: nil at the end of stdin.
    @Sendable static func ask(_ question: String) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        // Who ends the program with Ctrl-C meanwhile must see again what he types.
        let shown = before
        Signals.beforeTheEnd { show(shown) }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        try? DescriptorSink(descriptor: STDERR_FILENO).write(Array(question.utf8))
        let answer = LineReader.stdin.next()
        show(shown)
        try? DescriptorSink(descriptor: STDERR_FILENO).write([UInt8(ascii: "\n")])
        // LineReader puts it in place of other bytes, so that two secrets would be the same one.
        if let answer, answer.unicodeScalars.contains("\u{fffd}") {
            let sentence = "What was typed is not UTF-8: type it on a terminal whose encoding is UTF-8.\n"
            try? DescriptorSink(descriptor: STDERR_FILENO).write(Array(sentence.utf8))
            return nil
        }
        return answer
    }

    private static func show(_ mode: termios) {
        var mode = mode
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
    }
}
