// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Imports point down only: a target may name those above it in this list, never one below.

/// Failpoints are compiled only in debug builds, or if the environment asks for them.
let faults: SwiftSetting =
    Context.environment["WAYMARK_FAULTS"] == nil
    ? .define("WAYMARK_FAULTS", .when(configuration: .debug)) : .define("WAYMARK_FAULTS")

// Warnings are errors in our own targets only. A flag on the command line would also apply to the dependencies.
let strict: [SwiftSetting] =
    [.enableUpcomingFeature("ExistentialAny")]
    + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])
    + [faults]

/// A target with the settings that all our targets share.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// The tests of a target. They depend on TestTurns, because every suite takes turns.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestTurns"], swiftSettings: strict)
}

func main(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioConcurrency = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "waymark",
    products: [
        .executable(name: "waymark", targets: ["waymark"]),
        .executable(name: "waymark-storage", targets: ["waymark-storage"]),
        .executable(name: "waymark-query", targets: ["waymark-query"]),
        .library(name: "WaymarkClient", targets: ["WaymarkClient"]),
        .library(name: "ZeroMQ", targets: ["ZeroMQ"]),
        .library(name: "Geodesy", targets: ["Geodesy"]),
        // For the fault harness, which loads it into storage.
        .library(name: "WaymarkLossyVFS", type: .dynamic, targets: ["CLossyVFS"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // ZeroMQ: a small library over libzmq that knows nothing of landmarks.
        .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        room("ZeroMQ", ["CZeroMQ"]),

        // WGS84 and the spatial index; also knows nothing of landmarks.
        .target(name: "CGeographicLib", linkerSettings: [.linkedLibrary("GeographicLib")]),
        .systemLibrary(name: "CMemory"),
        room("Geodesy", ["CGeographicLib", "CMemory"]),

        // SHA-256 by libsodium, which libzmq brings along.
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        room("Digests", ["CSodium"]),

        // Points at which tests make services fail; empty in a release.
        room("Failpoints"),

        // Load tests of any bus: knows nothing of landmarks.
        room("LoadTest", ["ZeroMQ", "CZeroMQ", histogram]),

        // What the two databases' libraries share: members taken in turns, and a gate that closes.
        room("Pooling"),

        // Statements, connections and transactions over SQLite.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        room("SQLite", ["CSQLite", "Pooling"]),

        // Connections, statements and transactions over libpq; knows nothing of landmarks.
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        room("PostgreSQL", ["CPostgreSQL", "Pooling"]),

        // OpenStreetMap's opening hours, and time zones; knows nothing of landmarks.
        room("OpeningHours"),

        // Currencies: exact numbers, rates of a day. Pure.
        room("Rates"),

        // The domain, the wire, the feed: pure.
        room("Landmarks", ["Geodesy"]),
        room("WaymarkProtocol", ["Landmarks", "Rates", "Geodesy", protobuf], exclude: ["Proto"]),
        room("ChangeFeed", ["Landmarks", "WaymarkProtocol", deque]),

        // The wire on sockets.
        room(
            "WaymarkTransport",
            ["ChangeFeed", "WaymarkProtocol", "Landmarks", "ZeroMQ", protobuf, deque]),

        // Who may do what: accounts, keys, passwords.
        room("Accounts", ["CSodium", "Digests", "WaymarkProtocol", "ZeroMQ"]),

        // Load tests of the services: generated landmarks, prepared requests, checked answers.
        room(
            "WaymarkLoad",
            [
                "LoadTest", "WaymarkProtocol", "Landmarks", "Geodesy", "ZeroMQ", "CSQLite", protobuf,
            ]),

        // What both services and the CLI share, apart from the wire.
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        room("Settings", ["CYAML"]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        room(
            "Ingest", ["CCurl", "CZlib", "OpeningHours", "Rates", "Landmarks", "Geodesy", "WaymarkProtocol", protobuf]),

        // Towns of the world by name and by position; the file is inside the program.
        .target(name: "CGazetteer", exclude: ["gazetteer.bin"]),
        room("Gazetteer", ["CGazetteer", "CZlib", "Landmarks", "Geodesy"]),

        // An HTTP listener within limits; knows nothing of landmarks.
        room(
            "WebServer",
            [hummingbirdCore, httpTypes, nioConcurrency, nioCore, nioHTTP1, nioPosix, lifecycle, logging]),

        // The map's page: its files, inside the program.
        .target(name: "CMapPage", exclude: ["Assets", "Generator"]),
        room("MapPage", ["CMapPage", "Digests"]),

        // Metrics, and the listener that shows them.
        room(
            "Monitoring",
            ["WebServer", hummingbirdCore, httpTypes, nioCore, lifecycle, logging]),

        room(
            "ServiceHost",
            [
                "Monitoring", "WebServer", "WaymarkTransport", "WaymarkProtocol", "Landmarks", "Settings", "ZeroMQ",
                argumentParser,
                logging, lifecycle, protobuf,
            ]),

        // The two services, and the library for programs that talk to them.
        room(
            "StorageService",
            [
                "Accounts", "WaymarkTransport", "WaymarkProtocol", "ChangeFeed", "Landmarks", "Geodesy", "ZeroMQ",
                "Settings",
                "ServiceHost", "WebServer", "Monitoring", "Failpoints", "CSQLite", "SQLite", "PostgreSQL", "Digests",
                protobuf,
                logging,
            ]),
        room(
            "WaymarkClient",
            [
                "Accounts", "WaymarkTransport", "WaymarkProtocol", "ChangeFeed", "Landmarks", "Rates", "Geodesy",
                "ZeroMQ",
                protobuf, deque, logging,
            ]),
        // Answers and changes as JSON, for the CLI and for the HTTP interface.
        room("WaymarkJSON", ["Gazetteer", "WaymarkClient", "WaymarkProtocol", "Landmarks", "Rates", "Geodesy"]),
        room(
            "QueryService",
            [
                "Accounts", "WaymarkTransport", "WaymarkProtocol", "ChangeFeed", "Landmarks", "Geodesy", "CMemory",
                "ZeroMQ",
                "Settings", "ServiceHost", "WebServer", "Monitoring", "Ingest", "Gazetteer", "OpeningHours", "Rates",
                protobuf,
                deque,
                logging,
            ]),

        // The HTTP interface: a client of the query service.
        room(
            "Web",
            [
                "Accounts", "MapPage", "Gazetteer", "WaymarkClient", "WaymarkJSON", "WebServer", "WaymarkTransport",
                "WaymarkProtocol", "ChangeFeed",
                "Landmarks", "ZeroMQ", "Geodesy", "Settings", "ServiceHost", "Monitoring", "Ingest", "Rates", "Digests",
                "CZlib", hummingbirdCore,
                httpTypes, nioConcurrency, nioCore, lifecycle, logging, deque, protobuf,
            ]),

        // The CLI as a library, and three thin mains.
        room(
            "WaymarkCommands",
            [
                "Gazetteer", "WaymarkClient", "WaymarkJSON", "StorageService", "QueryService", "Web", "WebServer",
                "WaymarkTransport",
                "WaymarkProtocol", "ChangeFeed",
                "Landmarks", "Geodesy", "ZeroMQ", "Settings", "ServiceHost", "Ingest", "OpeningHours", "Rates",
                "LoadTest",
                "WaymarkLoad", "Accounts",
                "Digests", argumentParser, logging, lifecycle, unixSignals,
            ]),
        main("waymark", ["WaymarkCommands"]),
        main(
            "waymark-storage",
            [
                "Accounts", "StorageService", "Settings", "ServiceHost", "WaymarkClient", "WaymarkTransport",
                "WaymarkProtocol", "ZeroMQ",
                argumentParser,
            ]),
        main("waymark-query", ["QueryService", "Web", "Settings", "ServiceHost", "WaymarkProtocol", argumentParser]),

        .target(name: "TestSupport", dependencies: ["ZeroMQ"], path: "Tests/TestSupport", swiftSettings: strict),
        // HTTP servers and requests for tests.
        .target(
            name: "TestWeb", dependencies: [nioCore, nioHTTP1, nioPosix], path: "Tests/TestWeb", swiftSettings: strict),
        .target(name: "TestTurns", path: "Tests/TestTurns", swiftSettings: strict),
        // Children of the tests.
        .target(name: "TestProcess", path: "Tests/TestProcess", swiftSettings: strict),
        .target(
            name: "TestPostgreSQL", dependencies: ["TestProcess"], path: "Tests/TestPostgreSQL", swiftSettings: strict),

        // The fault harness: histories, their validator, and the program that causes the faults.
        .target(
            name: "FaultKit",
            dependencies: [
                "TestProcess", "Landmarks", "Geodesy", "WaymarkProtocol", "ZeroMQ", "SQLite", "PostgreSQL", protobuf,
            ],
            path: "Tests/FaultKit", swiftSettings: strict),
        // A browser for tests of the page.
        .target(
            name: "TestBrowser", dependencies: ["FaultKit", "TestWeb"], path: "Tests/TestBrowser",
            swiftSettings: strict),
        .target(
            name: "CLossyVFS", path: "Tests/CLossyVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "waymark-faults",
            dependencies: [
                "FaultKit", "TestSupport", "WaymarkClient", "ChangeFeed", "WaymarkProtocol", "Landmarks", "Geodesy",
                "ZeroMQ",
                argumentParser,
            ],
            path: "Tests/waymark-faults", swiftSettings: strict),
        tests(
            "FaultTests",
            [
                "TestSupport", "FaultKit", "TestPostgreSQL", "WaymarkClient", "WaymarkProtocol", "Landmarks", "Geodesy",
                "ZeroMQ", protobuf, "waymark", "waymark-storage", "waymark-query", "waymark-faults",
            ]),
        .executableTarget(
            name: "waymark-measure",
            dependencies: [
                "FaultKit", "TestSupport", "LoadTest", "WaymarkLoad", "WaymarkClient", "WaymarkProtocol", "ServiceHost",
                "Accounts", "Landmarks", "Geodesy", "Gazetteer", "ZeroMQ", "CZeroMQ", "CSQLite", "PostgreSQL",
                argumentParser, protobuf,
            ],
            path: "Tests/waymark-measure", swiftSettings: strict),
        // Makes the gazetteer's file, and measures what it finds.
        .executableTarget(
            name: "waymark-gazetteer", dependencies: ["Gazetteer", "Geodesy", "CZlib", argumentParser],
            path: "Tests/waymark-gazetteer", swiftSettings: strict),
        tests("FaultKitTests", ["FaultKit", "Landmarks", "Geodesy"]),
        tests(
            "MeasureTests",
            [
                "FaultKit", "LoadTest", "Geodesy", "TestWeb", "waymark-measure", "waymark", "waymark-storage",
                "waymark-query",
            ]),
        // Faults of disks, clocks, networks and frames. The programs run as processes.
        tests(
            "DamageTests",
            [
                "FaultKit", "TestProcess", "TestSupport", "StorageService", "WaymarkClient", "WaymarkTransport",
                "WaymarkProtocol", "Landmarks", "Geodesy", "ZeroMQ", protobuf, logging, "waymark-storage",
                "waymark-query",
            ]),

        tests("ZeroMQTests", ["TestSupport", "ZeroMQ"]),
        tests("GeodesyTests", ["TestSupport", "Geodesy"]),
        .testTarget(
            name: "OpeningHoursTests", dependencies: ["OpeningHours", "TestTurns"], exclude: ["pairs.py"],
            swiftSettings: strict),
        tests("LandmarksTests", ["TestSupport", "Landmarks", "Geodesy"]),
        tests("WaymarkProtocolTests", ["TestSupport", "WaymarkProtocol", "Landmarks", "Geodesy", protobuf]),
        tests("LoadTestTests", ["LoadTest", "ZeroMQ"]),
        tests(
            "WaymarkLoadTests",
            ["WaymarkLoad", "LoadTest", "WaymarkProtocol", "Landmarks", "Geodesy", "ZeroMQ", protobuf]),
        tests(
            "ChangeFeedTests",
            ["TestSupport", "ChangeFeed", "WaymarkClient", "WaymarkProtocol", "Landmarks", "Geodesy"]),
        tests(
            "WaymarkTransportTests",
            [
                "TestSupport", "ChangeFeed", "WaymarkTransport", "WaymarkProtocol", "Landmarks", "Geodesy", "ZeroMQ",
                protobuf,
            ]),
        tests(
            "WaymarkClientTests",
            [
                "TestSupport", "WaymarkClient", "QueryService", "WaymarkTransport", "WaymarkProtocol",
                "Landmarks", "Geodesy", "ZeroMQ", protobuf, logging,
            ]),
        tests("SettingsTests", ["Settings"]),
        tests("DigestsTests", ["Digests"]),
        tests("AccountsTests", ["Accounts", "WaymarkProtocol", "ZeroMQ"]),
        tests("SQLiteTests", ["SQLite", "TestSupport"]),
        tests("PostgreSQLTests", ["PostgreSQL", "TestPostgreSQL", "TestProcess", "TestSupport", "ZeroMQ"]),
        tests(
            "ServiceHostTests",
            [
                "TestSupport", "ServiceHost", "Monitoring", "WebServer", "WaymarkTransport", "WaymarkProtocol",
                "Landmarks", "Settings", "ZeroMQ", logging, protobuf, lifecycle,
            ]),
        tests("GazetteerTests", ["Gazetteer", "Geodesy"]),
        tests("RatesTests", ["Rates"]),
        tests("IngestTests", ["TestWeb", "Ingest", "Rates", "WaymarkProtocol", "Landmarks", "Geodesy", nioHTTP1]),
        tests(
            "StorageServiceTests",
            [
                "TestSupport", "FaultKit", "Accounts", "StorageService", "WaymarkTransport", "WaymarkProtocol",
                "Landmarks",
                "Geodesy", "ZeroMQ", "Digests", "SQLite", "PostgreSQL", "TestPostgreSQL", protobuf, logging,
                "waymark-storage",
            ]),
        tests(
            "ServicesTests",
            [
                "TestSupport", "FaultKit", "Accounts",
                "StorageService", "QueryService", "WaymarkClient", "WaymarkTransport", "WaymarkProtocol", "ChangeFeed",
                "Landmarks", "Geodesy", "ZeroMQ", "Settings", "ServiceHost", "Ingest", "Rates", "TestWeb",
                "TestPostgreSQL",
                protobuf, logging,
            ]),
        tests(
            "QueryServiceTests",
            [
                "TestSupport", "QueryService", "Gazetteer", "OpeningHours", "WaymarkTransport", "WaymarkProtocol",
                "Landmarks", "Geodesy", protobuf,
            ]),
        // Tests of the metrics and the listener, alone and in running services.
        tests(
            "MonitoringTests",
            [
                "TestSupport", "Monitoring", "Web", "WebServer", "ServiceHost", "Settings", "StorageService",
                "QueryService",
                "WaymarkClient",
                "WaymarkTransport", "WaymarkProtocol", "ChangeFeed", "Landmarks", "Geodesy", "ZeroMQ", "Ingest",
                "SQLite",
                lifecycle, logging, protobuf, "TestWeb",
            ]),
        // The HTTP interface over running services.
        tests(
            "WebTests",
            [
                "TestSupport", "TestWeb", "Accounts", "Web", "WebServer", "StorageService", "QueryService",
                "WaymarkClient",
                "WaymarkJSON", "WaymarkTransport", "WaymarkProtocol", "ChangeFeed", "Gazetteer", "Landmarks", "Geodesy",
                "ZeroMQ", "Settings", "Ingest", "Monitoring", "MapPage", httpTypes, logging, lifecycle,
            ]),
        // The map's page in a browser. The programs run as processes.
        tests(
            "MapPageTests",
            [
                "TestBrowser", "TestWeb", "FaultKit", "Accounts", "WaymarkClient", "WaymarkProtocol", "Landmarks",
                "Geodesy",
                "ZeroMQ",
                "waymark", "waymark-storage", "waymark-query",
            ]),
        tests(
            "WaymarkTests",
            [
                "TestSupport", "TestPostgreSQL", "TestProcess", "LoadTest",
                "WaymarkCommands", "WaymarkClient", "WaymarkJSON", "StorageService", "QueryService", "WaymarkTransport",
                "WaymarkProtocol",
                "ChangeFeed", "Landmarks", "Rates", "Geodesy", "ZeroMQ", "Settings", "Ingest", "Digests", protobuf,
                logging,
                "TestWeb", "waymark", "waymark-storage", "waymark-query",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// docker/Dockerfile builds an image in two steps: first the dependencies, in a layer that is reused while only sources
// change; then the programs, without the tests.
switch Context.environment["WAYMARK_IMAGE_STEP"] {
case "dependencies"?:
    let needed = package.targets.filter { $0.path?.hasPrefix("Tests/") != true && $0.type != .test }
        .flatMap(\.dependencies)
        .reduce(into: [String: Target.Dependency]()) { needed, dependency in
            if case .productItem(let name, _, _, _) = dependency { needed[name] = dependency }
        }
    package.targets = [
        .executableTarget(name: "dependencies", dependencies: needed.sorted { $0.key < $1.key }.map(\.value))
    ]
    package.products = []
case "programs"?:
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true || $0.type == .test }
    package.products.removeAll { $0.name == "WaymarkLossyVFS" }
default: break
}
