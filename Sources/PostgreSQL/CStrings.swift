// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Arrays of strings for C, which end with a NULL.
enum CStrings {
    /// Calls `body` with pointers to the texts. The pointers are valid only inside `body`.
    static func withPointers<Value>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }
}
