// SPDX-License-Identifier: Apache-2.0

import CSodium

/// Argon2id hashes by libsodium, with 19 MiB and two passes, the minimum in OWASP's Password Storage Cheat Sheet. One
/// hash takes a processor some 50 ms, so it must never be made on the event loop of a service.
public enum PasswordHash {
    /// The permitted lengths of a password, in bytes of UTF-8.
    public static let lengths = 8...256
    private static let memory = 19 * 1024 * 1024
    private static let passes: UInt64 = 2

    /// Makes a hash as a text that contains its salt and its cost.
    ///
    /// - Returns: nil if the password is empty, or if there is not enough memory.
    public static func make(_ password: [UInt8]) -> String? {
        guard RandomBytes.isInitialised, !password.isEmpty else { return nil }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let made = password.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return Int32(-1) }
            return crypto_pwhash_str(
                &text, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), passes, memory)
        }
        guard made == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the password belongs to the hash. Takes as long as making a hash.
    public static func verify(_ password: [UInt8], _ hash: String) -> Bool {
        guard RandomBytes.isInitialised, hash.utf8.count < Int(crypto_pwhash_STRBYTES) else { return false }
        return password.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return crypto_pwhash_str_verify(
                hash, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count)) == 0
        }
    }

    /// A hash that no password has. Passwords for unknown names are checked against it, so that they take as long as
    /// for known names.
    public static let ofNobody = make(RandomBytes.make(32)) ?? ""
}
