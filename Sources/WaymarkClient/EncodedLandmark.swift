// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import SwiftProtobuf
import WaymarkProtocol

/// A landmark as it came: a snapshot of many is kept in this form, a third of what values would take.
struct EncodedLandmark: Sendable {
    var bytes: Data

    func landmark() throws(ClientError) -> Landmark {
        guard let wire = try? WireLandmark(serializedBytes: bytes) else { throw .unreadableAnswer("a landmark") }
        do { return try Landmark(wire) } catch { throw .unreadableAnswer(error.description) }
    }
}
