// SPDX-License-Identifier: Apache-2.0

import Testing
import WaymarkProtocol

extension EncodedChange {
    init(_ wire: WireChange) throws { self = try #require(EncodedChange(wire.encoded)) }
}
