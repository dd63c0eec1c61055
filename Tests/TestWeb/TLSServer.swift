// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A server of TLS on 127.0.0.1 that serves the files of its folder: OpenSSL's own, with a certificate of an authority
/// that is made for it.
public final class TLSServer {
    public enum Problem: Error, CustomStringConvertible {
        case failed(String)

        public var description: String {
            switch self {
            case .failed(let what): "\(what): install the package openssl, which is needed for this test."
            }
        }
    }

    public let port: Int
    /// The authority's certificate, as a file.
    public var authority: String { folder + "/authority.pem" }
    private let folder: String
    private let process: Process

    /// - Parameters:
    ///   - name: who the certificate is of, as OpenSSL writes it: `IP:127.0.0.1`, `DNS:elsewhere.example`.
    ///   - answer: what stands in the file `answer`: a whole answer, with its head.
    public init(of name: String = "IP:127.0.0.1", answer: String) throws {
        folder = FileManager.default.temporaryDirectory.path + "/tls-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        do {
            try Data(answer.utf8).write(to: URL(fileURLWithPath: folder + "/answer"))
            try Self.makeCertificates(of: name, in: folder)
            (process, port) = try Self.serve(folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit {
        // Not SIGTERM: a child inherits the signals that the test's process blocks or ignores, and would stay.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    public func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/answer" }

    private static func makeCertificates(of name: String, in folder: String) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try openssl(
            [
                "req", "-x509", "-subj", "/CN=An authority of a test", "-keyout", "authority.key", "-out",
                "authority.pem",
            ]
                + key, in: folder)
        try openssl(
            [
                "req", "-x509", "-subj", "/CN=A server of a test", "-addext", "subjectAltName=\(name)",
                "-addext", "basicConstraints=critical,CA:FALSE", "-CA", "authority.pem", "-CAkey", "authority.key",
                "-keyout", "server.key", "-out", "server.pem",
            ] + key, in: folder)
    }

    private static func openssl(_ arguments: [String], in folder: String) throws {
        let process = started(arguments, in: folder)
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let words = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Problem.failed(
                "openssl \(arguments[0]) failed (\(String(decoding: words.suffix(300), as: UTF8.self)))")
        }
    }

    private static func started(_ arguments: [String], in folder: String) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        return process
    }

    private static func serve(_ folder: String) throws -> (Process, port: Int) {
        // -HTTP: the file has the head of the answer in it. Port 0 is any that is free.
        let process = started(
            ["s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key"], in: folder)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while true {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else {
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                throw Problem.failed("openssl s_server ended before it listened (\(text))")
            }
            text += String(decoding: part, as: UTF8.self)
            // "ACCEPT 127.0.0.1:40837"
            if let port = text.firstMatch(of: /ACCEPT [^\n]*:([0-9]+)\n/).flatMap({ Int($0.output.1) }) {
                return (process, port)
            }
        }
    }
}
