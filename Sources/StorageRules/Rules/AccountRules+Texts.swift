// SPDX-License-Identifier: Apache-2.0

import Accounts
import FoundationEssentials
import Landmarks
import WaymarkProtocol
import ZeroMQ

/// Rules for labels, passwords and times. The names of accounts follow the rules for user names, because landmarks bear
/// the names of accounts.
extension AccountRules {
    private static let labelCharacters = 64

    /// Checks the end of a key in Unix milliseconds; 0 if the key never ends. The tables compare times as signed
    /// integers, so greater values are refused.
    package static func expiry(_ time: UInt64) throws(ServiceError) -> UInt64 {
        try ServiceError.of { () throws(InvalidInput) in try UnixTime.checked(time, "end of a key") }
    }

    package static func label(_ text: String) throws(ServiceError) -> String {
        guard text.count <= labelCharacters, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else { throw ServiceError(.invalid, "A key's label has at most \(labelCharacters) characters.") }
        return text.normal
    }

    package static func password(_ bytes: Data) throws(ServiceError) -> [UInt8] {
        guard PasswordHash.lengths.contains(bytes.count) else {
            let lengths = PasswordHash.lengths
            throw ServiceError(
                .invalid, "A password has \(lengths.lowerBound) to \(lengths.upperBound) bytes: choose another.")
        }
        return [UInt8](bytes)
    }
}

extension CurveKey {
    /// - Throws: ``ErrorCode/invalid`` unless there are 32 bytes.
    package init(wire bytes: Data) throws(ServiceError) {
        guard let key = CurveKey(bytes: [UInt8](bytes)) else {
            throw ServiceError(.invalid, "The key does not have 32 bytes: send the whole key.")
        }
        self = key
    }
}

extension ServiceError {
    package static let noAccounts = ServiceError(
        .unknownCommand, "This installation has no accounts: set accounts: required in the services' settings.")
    package static let invalidKind = ServiceError(
        .invalid, "The kind of the key is unknown: add a CURVE key or a bearer.")
    package static let invalidRole = ServiceError(
        .invalid, "The role is unknown: name one of \(Role.allCases.map(\.name).joined(separator: ", ")).")
}
