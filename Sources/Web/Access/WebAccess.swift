// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import ZeroMQ

/// What the HTTP interface needs where accounts are required.
package struct WebAccess: Sendable {
    /// The query service's own, by which it takes requests for others.
    package var keys: CurveKeyPair
    /// The accounts, as the query service knows them.
    package var book: AccountBook
    /// Waits until the book was read after a key came that is not in it: it may have been added a moment ago.
    package var settle: @Sendable (CurveKey) async -> Void

    package init(keys: CurveKeyPair, book: AccountBook, settle: @escaping @Sendable (CurveKey) async -> Void) {
        (self.keys, self.book, self.settle) = (keys, book, settle)
    }
}
