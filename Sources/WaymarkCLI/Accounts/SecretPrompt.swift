// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Asks for a secret on a terminal without showing the answer.
enum SecretPrompt {
    /// - Returns: the answer; nil at the end of stdin.
    @Sendable static func ask(_ question: String) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        // Ctrl-C must not leave a terminal that no longer shows what the person types.
        let shown = before
        Signals.beforeTheEnd { show(shown) }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        try? DescriptorSink(descriptor: STDERR_FILENO).write(Array(question.utf8))
        let answer = LineReader.stdin.next()
        show(shown)
        try? DescriptorSink(descriptor: STDERR_FILENO).write([UInt8(ascii: "\n")])
        // LineReader replaces bytes that are not UTF-8 by U+FFFD, so two different secrets could become equal.
        if let answer, answer.unicodeScalars.contains("\u{fffd}") {
            let sentence = "The typed text is not UTF-8: type it on a terminal whose encoding is UTF-8.\n"
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
