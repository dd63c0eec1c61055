// SPDX-License-Identifier: Apache-2.0
internal import CZeroMQ

/// The 32 bytes of a Curve25519 key, public or secret.
///
/// The description hides the key, so that a secret key cannot slip into a log line. Use ``z85`` to get the key as text.
public struct CurveKey: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// Makes a key of 32 bytes. `nil` if there are more or fewer bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Reads a key from 40 characters of Z85 (ZeroMQ RFC 32), the usual text form.
    public init?(z85 text: String) {
        guard text.utf8.count == 40 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        guard zmq_z85_decode(&bytes, text) != nil else { return nil }
        self.bytes = bytes
    }

    /// Reads a key from libzmq's output, which is 40 characters followed by a zero.
    init?(characters: [CChar]) {
        self.init(z85: String(decoding: characters.prefix(40).map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The key as 40 characters of Z85.
    public var z85: String {
        var text = [CChar](repeating: 0, count: 41)
        zmq_z85_encode(&text, bytes, bytes.count)
        return String(decoding: text.prefix(40).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    public var description: String { "CurveKey(…)" }
}

/// A public key and its secret key.
public struct CurveKeyPair: Sendable, Hashable {
    /// The public key, which other parties may know.
    public let publicKey: CurveKey
    /// The secret key, which must never leave its machine.
    public let secretKey: CurveKey

    /// Derives the public key from a secret key, for example after reading the secret key from a file.
    public init(secretKey: CurveKey) throws(ZeroMQError) {
        var publicText = [CChar](repeating: 0, count: 41)
        guard zmq_curve_public(&publicText, secretKey.z85) == 0, let publicKey = CurveKey(characters: publicText) else {
            throw ZeroMQError("zmq_curve_public")
        }
        (self.publicKey, self.secretKey) = (publicKey, secretKey)
    }

    /// Generates a new random pair. Throws ``ZeroMQError/Code/notSupported`` if libzmq was built without CURVE.
    public static func generate() throws(ZeroMQError) -> CurveKeyPair {
        var (publicText, secretText) = ([CChar](repeating: 0, count: 41), [CChar](repeating: 0, count: 41))
        guard zmq_curve_keypair(&publicText, &secretText) == 0, let secretKey = CurveKey(characters: secretText) else {
            throw ZeroMQError("zmq_curve_keypair")
        }
        return try CurveKeyPair(secretKey: secretKey)
    }
}
