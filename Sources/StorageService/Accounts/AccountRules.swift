// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol

/// What names, labels and passwords may be.
enum AccountRules {
    private static let labelCharacters = 64

    /// The rule of users' names: they become those of landmarks.
    static func name(_ text: String) throws(ServiceError) -> String {
        do throws(InvalidInput) { return try LandmarkRules.user(text) } catch { throw ServiceError(error) }
    }

    /// Unix milliseconds; 0: never. The tables compare them as signed integers.
    static func expiry(_ time: UInt64) throws(ServiceError) -> UInt64 {
        do throws(InvalidInput) { return try UnixTime.checked(time, "end of a key") } catch {
            throw ServiceError(error)
        }
    }

    static func label(_ text: String) throws(ServiceError) -> String {
        guard text.count <= labelCharacters, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { throw ServiceError(.invalid, "A key's label has at most \(labelCharacters) characters.") }
        return text.normal
    }

    static func password(_ bytes: Data) throws(ServiceError) -> [UInt8] {
        guard PasswordHash.lengths.contains(bytes.count) else {
            let lengths = PasswordHash.lengths
            throw ServiceError(
                .invalid, "A password has \(lengths.lowerBound) to \(lengths.upperBound) bytes: choose another.")
        }
        return [UInt8](bytes)
    }
}
