// SPDX-License-Identifier: Apache-2.0

import Geodesy
public import Landmarks

/// A 64-bit digest of the contents of a change or a landmark. Unlike `Hasher` it is the same in every process.
public struct Digest {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    public static func of(_ change: Change) -> UInt64 {
        var digest = Digest()
        digest.mix(change.rev)
        digest.mix(change.at)
        digest.mix(change.operation.rawValue)
        digest.mix(change.user)
        digest.mix(change.landmark)
        digest.mix(change.before == nil ? 0 : 1)
        if let before = change.before { digest.mix(before) }
        return digest.state
    }

    public static func of(_ landmark: Landmark) -> UInt64 {
        var digest = Digest()
        digest.mix(landmark)
        return digest.state
    }

    private mutating func mix(_ landmark: Landmark) {
        mix(landmark.id)
        mix(landmark.name)
        mix(landmark.coordinate.latitude.bitPattern)
        mix(landmark.coordinate.longitude.bitPattern)
        for attribute in Attribute.allCases {
            switch landmark.attributes[attribute] {
            case .text(let text): mix(text)
            case .number(let number): mix(number.bitPattern)
            case nil: mix(1)
            }
        }
        mix(landmark.user)
        mix(landmark.source?.name ?? "")
        mix(landmark.source?.key ?? "")
        mix(UInt64(landmark.notes.count))
        for note in landmark.notes {
            mix(note.id)
            mix(note.text)
            mix(note.user)
            mix(note.at)
        }
        mix(landmark.version)
        mix(landmark.rev)
        mix(landmark.created)
        mix(landmark.updated)
    }

    private mutating func mix(_ id: UUIDv7) {
        mix(id.high)
        mix(id.low)
    }

    private mutating func mix(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            mix(UInt64(bytes.count))
            var word: UInt64 = 0
            for (index, byte) in bytes.enumerated() {
                word = word << 8 | UInt64(byte)
                if index & 7 == 7 {
                    mix(word)
                    word = 0
                }
            }
            mix(word)
        }
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x9e37_79b9_7f4a_7c15
        state ^= state >> 29
    }
}
