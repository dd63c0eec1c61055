// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Lists of texts for C, with a NULL after the last.
enum CStrings {
    /// Passes on pointers that are valid inside `body`.
    static func withPointers<Value>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }
}
