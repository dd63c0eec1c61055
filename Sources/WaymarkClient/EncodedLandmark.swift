// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Landmarks
import WaymarkProtocol

/// A landmark in encoded form. A snapshot keeps many in this form because they take a third of the memory of values.
package struct EncodedLandmark: Sendable {
    var bytes: Data

    package func landmark() throws(ClientError) -> Landmark {
        do { return try Landmark(encoded: bytes) } catch { throw .unreadableAnswer(error.description) }
    }
}
