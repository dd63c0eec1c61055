// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import TestTurns
import Testing
import ZeroMQ

@Suite("Passwords, codes and files of keys", .computing)
struct SecretTests {
    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test("a hash belongs to its password alone, and is another one each time")
    func passwords() throws {
        let password = Array("correct horse".utf8)
        let hash = try #require(PasswordHash.make(password))
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(try #require(PasswordHash.make(password)) != hash)
        #expect(PasswordHash.verify(password, hash))
        #expect(!PasswordHash.verify(Array("correct horsf".utf8), hash))
        #expect(!PasswordHash.verify([], hash))
        #expect(!PasswordHash.verify(password, ""))
        #expect(!PasswordHash.verify(password, String(repeating: "x", count: 500)))
        #expect(!PasswordHash.verify(password, PasswordHash.ofNobody))
        #expect(PasswordHash.make([]) == nil)
    }

    @Test("a code is read without regard to case, hyphens and spaces")
    func codes() throws {
        let code = InvitationCode.make()
        #expect(code.count == 23)
        #expect(InvitationCode.make() != code)
        let digest = try #require(InvitationCode.digest(code))
        #expect(digest.count == 32)
        #expect(InvitationCode.digest(code.lowercased().replacing("-", with: " ")) == digest)
        #expect(InvitationCode.digest(String(code.dropLast())) == nil)
        #expect(InvitationCode.digest(String(code.dropLast()) + "!") == nil)
        #expect(InvitationCode.digest("") == nil)
    }

    @Test("a file of keys comes back, and is not replaced unless that is wanted")
    func files() throws {
        let path = try Self.folder() + "/a.key"
        let file = KeyFile(
            keys: try CurveKeyPair.generate(), server: try CurveKeyPair.generate().publicKey, name: "ann of Sydney")
        try file.write(path, replacing: false)
        #expect(try KeyFile(path: path) == file)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let other = KeyFile(keys: try CurveKeyPair.generate())
        #expect(throws: KeyFileError.exists(path: path)) { try other.write(path, replacing: false) }
        #expect(try KeyFile(path: path) == file)
        try other.write(path, replacing: true)
        #expect(try KeyFile(path: path) == other)
    }

    @Test("a file that others may read or change is refused", arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o777])
    func modes(mode: Int) throws {
        let path = try Self.folder() + "/a.key"
        try KeyFile(keys: try CurveKeyPair.generate()).write(path, replacing: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(throws: KeyFileError.exposed(path: path)) { try KeyFile(path: path) }
    }

    @Test("what is no file of keys is refused by name")
    func malformed() throws {
        let folder = try Self.folder()
        #expect(throws: KeyFileError.missing(path: folder + "/none")) { try KeyFile(path: folder + "/none") }
        // A folder is no file, whatever its mode is.
        #expect(throws: KeyFileError.self) { try KeyFile(path: folder) }
        for (index, text) in ["", "secret", "secret x\n", "secret \(String(repeating: "~", count: 40))\n"].enumerated()
        {
            let path = "\(folder)/\(index)"
            try SecretFile.write(Array(text.utf8), path, replacing: false)
            #expect(throws: KeyFileError.malformed(path: path)) { try KeyFile(path: path) }
        }
    }

    @Test("a grant's secret is read as it is written, and nothing else is")
    func grants() throws {
        for _ in 0..<200 {
            let token = GrantToken()
            #expect(token.description.utf8.count == 22 && GrantToken(token.description) == token)
        }
        #expect(GrantToken() != GrantToken())
        let zero = try #require(GrantToken("AAAAAAAAAAAAAAAAAAAAAA"))
        // sha256sum of 16 zero bytes.
        let digest = zero.digest?.bytes.prefix(4).map { String($0, radix: 16) }
        #expect(digest == ["37", "47", "8", "ff"])
        // base64 of the bytes 0 to 15.
        #expect(GrantToken("AAECAwQFBgcICQoLDA0ODw")?.description == "AAECAwQFBgcICQoLDA0ODw")
        for wrong in [
            "", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAA+A",
        ] {
            #expect(GrantToken(wrong) == nil, "\(wrong)")
        }
    }

    @Test("the fingerprint is that of the public key, and short enough to be compared")
    func fingerprint() throws {
        let key = try #require(CurveKey(bytes: [UInt8](repeating: 0, count: 32)))
        // sha256sum of 32 zero bytes.
        #expect("\(Fingerprint(key))" == "6668:7aad:f862:bd77:6c8f:c18b:8e9f:8e20")
    }
}
