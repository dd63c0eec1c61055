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

/// The products of other packages, by their names.
let products = [
    "ArgumentParser": "swift-argument-parser", "DequeModule": "swift-collections", "HTTPTypes": "swift-http-types",
    "Histogram": "hdrhistogram-swift", "HummingbirdCore": "hummingbird", "Logging": "swift-log",
    "NIOConcurrencyHelpers": "swift-nio", "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio", "NIOHTTP1": "swift-nio",
    "NIOPosix": "swift-nio", "ServiceLifecycle": "swift-service-lifecycle", "SwiftProtobuf": "swift-protobuf",
    "UnixSignals": "swift-service-lifecycle",
]

/// The wire, what carries it, and what services are made of.
let wire = "WaymarkProtocol Landmarks Geodesy ZeroMQ SwiftProtobuf"
let bus = "WaymarkTransport ChangeFeed \(wire)"
let hosting = "ServiceHost Settings Monitoring WebServer ServiceLifecycle Logging"
let programs = "waymark waymark-storage waymark-query"

/// Storage's rules, and the engines below its service.
let parts = "EngineParts StorageRules"
let engines = "StorageOnSQLite StorageOnPostgreSQL \(parts)"

/// - Parameter names: targets of this package and products of others, with spaces between them.
func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.flatMap { $0.split(separator: " ").map(String.init) }.map { name -> Target.Dependency in
        guard let package = products[name] else { return .byName(name: name) }
        return .product(name: name, package: package)
    }
}

/// A target with the settings that all our targets share. In `Tests` it is one that tests use.
func room(_ name: String, _ names: String..., in folder: String = "Sources", exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies(names), path: "\(folder)/\(name)", exclude: exclude,
        swiftSettings: strict)
}

/// The tests of a target, which depend on TestTurns, because every suite takes turns.
func tests(_ name: String, _ names: String..., exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies(names + ["TestTurns"]), exclude: exclude, swiftSettings: strict)
}

/// A program. In `Tests` it is one that tests use, or developers.
func main(_ name: String, _ names: String..., in folder: String = "Sources") -> Target {
    .executableTarget(
        name: name, dependencies: dependencies(names), path: "\(folder)/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "waymark",
    products: ["waymark", "waymark-storage", "waymark-query"].map { Product.executable(name: $0, targets: [$0]) }
        + ["WaymarkClient", "ZeroMQ", "Geodesy"].map { Product.library(name: $0, targets: [$0]) }
        // For the fault harness, which loads it into storage.
        + [Product.library(name: "WaymarkLossyVFS", type: .dynamic, targets: ["CLossyVFS"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // ZeroMQ: a small library over libzmq that knows nothing of landmarks.
        .systemLibrary(name: "CZeroMQ", providers: [.apt(["libzmq3-dev"])]),
        room("ZeroMQ", "CZeroMQ"),

        // WGS84 and the spatial index; also knows nothing of landmarks.
        .target(name: "CGeographicLib", linkerSettings: [.linkedLibrary("GeographicLib")]),
        .systemLibrary(name: "CShims"),
        room("Geodesy", "CGeographicLib CShims"),

        // SHA-256 by libsodium, which libzmq brings along; a pool whose members jobs borrow, and a gate that closes;
        // points at which tests make services fail, empty in a release; bytes as text, and text in HTML.
        .systemLibrary(name: "CSodium", providers: [.apt(["libsodium-dev"])]),
        room("Support", "CSodium"),
        // Load tests of any bus: knows nothing of landmarks.
        room("LoadTest", "ZeroMQ CZeroMQ Support Histogram"),

        // Statements, connections and transactions over SQLite.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        room("SQLite", "CSQLite Support"),
        // Shared libraries that are opened at the first call of one of their functions. To build, only their headers are
        // needed, from Debian's libcurl4-openssl-dev and libpq-dev.
        .target(name: "CLibraries"),
        .target(name: "CCurl", dependencies: ["CLibraries"]),
        .target(name: "CPostgreSQL", dependencies: ["CLibraries"]),
        // Connections, statements and transactions over libpq; knows nothing of landmarks.
        room("PostgreSQL", "CPostgreSQL Support"),

        // Days of the Gregorian calendar, and addresses of machines. Pure.
        room("CivilDates"),
        room("IPAddresses"),

        // OpenStreetMap's opening hours, and time zones; knows nothing of landmarks.
        room("OpeningHours", "CivilDates"),
        // Currencies: exact numbers, rates of a day. Pure.
        room("Rates", "CivilDates"),

        // The domain, the wire, the feed: pure.
        room("Landmarks", "Geodesy"),
        // Reads and writes JSON.
        room("JSON", "Landmarks Geodesy CivilDates"),
        room("WaymarkProtocol", "Landmarks Rates Geodesy SwiftProtobuf", exclude: ["Proto"]),
        room("ChangeFeed", "Landmarks WaymarkProtocol DequeModule"),

        // The wire on sockets.
        room("WaymarkTransport", wire, "ChangeFeed DequeModule"),

        // Accounts, keys, passwords, and the permissions of roles.
        room("Accounts", "CSodium Support WaymarkProtocol ZeroMQ"),

        // Load tests of the services: generated landmarks, prepared requests, checked answers.
        room("WaymarkLoad", wire, "IPAddresses LoadTest CZeroMQ CSQLite DequeModule"),

        // Shared by both services and the CLI, apart from the wire.
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        room("Settings", "CYAML"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        room("Ingest", wire, "CCurl CZlib IPAddresses OpeningHours JSON Rates"),

        // Towns of the world by name and by position; the file is inside the program.
        .target(name: "CGazetteer", exclude: ["gazetteer.bin"]),
        room("Gazetteer", "CGazetteer CZlib Landmarks Geodesy"),

        // An HTTP listener within limits; knows nothing of landmarks.
        room(
            "WebServer", "IPAddresses HummingbirdCore HTTPTypes NIOConcurrencyHelpers NIOCore NIOHTTP1 NIOPosix",
            "ServiceLifecycle Logging DequeModule"),
        // The map's page: its files, inside the program.
        .target(name: "CMapPage", exclude: ["Assets", "Generator", "package.json"]),
        room("MapPage", "CMapPage Support"),
        // Metrics, and the listener that shows them.
        room("Monitoring", "WebServer HummingbirdCore HTTPTypes NIOCore ServiceLifecycle Logging"),

        // Shared by both services: starting, settings, logs, signals, health.
        room("ServiceHost", bus, "JSON Monitoring WebServer Settings ArgumentParser Logging ServiceLifecycle"),

        // Storage's rules over tables of any database, the parts that both engines share, and the engines, which do not
        // know each other.
        room("StorageRules", "Accounts WaymarkProtocol Landmarks Geodesy ZeroMQ Support SwiftProtobuf Logging"),
        room("EngineParts", "StorageRules WaymarkProtocol Landmarks SQLite JSON Support Logging"),
        room("StorageOnSQLite", parts, "WaymarkProtocol Landmarks SQLite CSQLite Support Logging"),
        room("StorageOnPostgreSQL", parts, "WaymarkProtocol Landmarks PostgreSQL Support Logging"),

        // The two services, and the library for programs that talk to them.
        room("StorageService", bus, hosting, engines, "Accounts Support SQLite PostgreSQL"),
        room("WaymarkClient", bus, "Accounts Rates DequeModule Logging"),

        // Answers and changes as JSON, for the CLI and for the HTTP interface.
        room("WaymarkJSON", "Accounts JSON Gazetteer WaymarkClient WaymarkProtocol Landmarks Rates Geodesy"),
        room("QueryService", bus, hosting, "Accounts CShims Ingest Gazetteer JSON OpeningHours Rates DequeModule"),

        // The HTTP interface: a client of the query service.
        room(
            "Web", bus, hosting,
            "Accounts MapPage Gazetteer WaymarkClient WaymarkJSON JSON Rates Support CZlib HummingbirdCore",
            "HTTPTypes NIOConcurrencyHelpers NIOCore DequeModule"),

        // Changes told to other programs over HTTP: also a client of the query service.
        room("Hooks", bus, hosting, "Web WaymarkClient JSON Ingest IPAddresses Support"),

        // The CLI as a library, and three thin mains.
        room(
            "WaymarkCLI", bus, hosting,
            "Gazetteer WaymarkClient WaymarkJSON StorageService StorageOnSQLite QueryService Web Hooks Ingest",
            "OpeningHours Rates LoadTest WaymarkLoad Accounts Support ArgumentParser UnixSignals"),
        main("waymark", "WaymarkCLI"),
        main(
            "waymark-storage",
            "Accounts StorageService Settings ServiceHost WaymarkClient WaymarkTransport WaymarkProtocol ZeroMQ",
            "ArgumentParser"),
        main(
            "waymark-query",
            "QueryService Web Hooks Settings ServiceHost ServiceLifecycle WaymarkProtocol ArgumentParser"),

        room("TestSupport", "ZeroMQ", in: "Tests"),
        // Children of the tests, and ports for them.
        room("TestProcess", "ZeroMQ", in: "Tests"),
        room("TestTurns", in: "Tests"),
        // Services that answer as a test says.
        room("TestServices", bus, "TestSupport TestTurns", in: "Tests"),
        // HTTP servers and requests for tests.
        room("TestWeb", "TestProcess TestTurns NIOCore NIOHTTP1 NIOPosix", in: "Tests"),
        room("TestPostgreSQL", "TestProcess TestTurns", in: "Tests"),

        // The fault harness: histories, their validator, and the program that causes the faults.
        room("FaultKit", wire, "TestProcess SQLite PostgreSQL", in: "Tests"),
        // A browser for tests of the page.
        room("TestBrowser", "FaultKit TestWeb", in: "Tests"),
        .target(name: "CLossyVFS", path: "Tests/CLossyVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        main("waymark-faults", wire, "FaultKit TestSupport WaymarkClient ChangeFeed ArgumentParser", in: "Tests"),
        tests(
            "FaultTests", wire, programs, "TestSupport FaultKit TestPostgreSQL WaymarkClient waymark-faults",
            exclude: ["receiver.py"]),
        main(
            "waymark-measure", wire,
            "FaultKit TestProcess TestSupport LoadTest WaymarkLoad WaymarkClient ServiceHost Accounts Gazetteer",
            "CZeroMQ CSQLite CShims PostgreSQL ArgumentParser WebServer HummingbirdCore HTTPTypes NIOCore Logging",
            in: "Tests"),
        // Makes the gazetteer's file, and measures what it finds.
        main("waymark-gazetteer", "Gazetteer Geodesy CZlib ArgumentParser", in: "Tests"),
        tests("FaultKitTests", "FaultKit Landmarks Geodesy"),
        tests("MeasureTests", programs, "FaultKit LoadTest Geodesy waymark-measure"),

        // Faults of disks, clocks, networks and frames. The programs run as processes.
        tests(
            "DamageTests", bus, engines,
            "FaultKit TestProcess TestSupport StorageService WaymarkClient Logging waymark-storage waymark-query"),

        tests("ZeroMQTests", "TestSupport ZeroMQ"),
        tests("GeodesyTests", "TestSupport Geodesy"),
        tests("OpeningHoursTests", "OpeningHours", exclude: ["pairs.py"]),
        tests("LandmarksTests", "TestSupport Landmarks Geodesy"),
        tests("WaymarkProtocolTests", "TestSupport WaymarkProtocol Landmarks Geodesy SwiftProtobuf"),
        tests("LoadTestTests", "LoadTest ZeroMQ"),
        tests("WaymarkLoadTests", wire, "WaymarkLoad LoadTest TestWeb"),
        tests("ChangeFeedTests", "TestSupport ChangeFeed WaymarkClient WaymarkProtocol Landmarks Geodesy"),
        tests("WaymarkTransportTests", bus, "TestSupport"),
        tests("WaymarkClientTests", bus, "TestServices TestSupport WaymarkClient QueryService Logging"),
        tests("SettingsTests", "Settings TestSupport"),
        tests("SupportTests", "Support"),
        tests("AccountsTests", "Accounts WaymarkProtocol ZeroMQ"),
        tests("SQLiteTests", "SQLite TestSupport"),
        tests("PostgreSQLTests", "PostgreSQL TestPostgreSQL TestProcess TestSupport ZeroMQ"),
        tests("ServiceHostTests", bus, hosting, "TestSupport"),
        tests("GazetteerTests", "Gazetteer Geodesy waymark-gazetteer"),
        tests("RatesTests", "Rates"),
        tests("IngestTests", "TestWeb Ingest IPAddresses JSON Rates WaymarkProtocol Landmarks Geodesy NIOHTTP1"),
        tests(
            "StorageServiceTests", bus, engines,
            "TestSupport FaultKit Accounts StorageService Support SQLite PostgreSQL TestPostgreSQL Logging",
            "Settings waymark-storage"),
        tests(
            "ServicesTests", bus, engines,
            "TestServices TestSupport FaultKit Accounts StorageService QueryService WaymarkClient Settings ServiceHost",
            "Ingest Rates TestWeb TestPostgreSQL Logging"),
        tests("QueryServiceTests", bus, "TestSupport Accounts QueryService Gazetteer OpeningHours"),

        // Tests of the metrics and the listener, alone and in running services.
        tests(
            "MonitoringTests", bus, hosting,
            "TestSupport Web Hooks StorageService QueryService WaymarkClient Ingest SQLite TestWeb HTTPTypes",
            "HummingbirdCore NIOCore NIOEmbedded"),

        tests(
            "HooksTests", bus, hosting,
            "TestSupport TestWeb Hooks Web Ingest IPAddresses JSON WaymarkClient StorageService QueryService Support",
            "NIOHTTP1"),

        // The HTTP interface over running services.
        tests(
            "WebTests", bus, hosting,
            "TestSupport TestWeb Accounts Web StorageService StorageRules QueryService WaymarkClient WaymarkJSON",
            "Support Gazetteer waymark-gazetteer Ingest MapPage HTTPTypes HummingbirdCore NIOCore"),

        // The map's page in a browser. The programs run as processes.
        tests(
            "MapPageTests", wire, programs, "TestBrowser TestWeb FaultKit Accounts WaymarkClient", exclude: ["node"]),
        tests(
            "WaymarkTests", bus, programs,
            "TestServices TestSupport TestPostgreSQL TestProcess LoadTest WaymarkCLI WaymarkClient WaymarkJSON",
            "StorageService QueryService Rates Settings Ingest Support Logging Monitoring TestWeb ArgumentParser"),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// docker/Dockerfile builds an image in two steps: first the dependencies, in a layer that is reused while only sources
// change; then the programs, without the tests.
switch Context.environment["WAYMARK_IMAGE_STEP"] {
case "dependencies"?:
    // All products of packages: the tests need none that no program needs.
    package.targets = [.executableTarget(name: "dependencies", dependencies: dependencies(products.keys.sorted()))]
    package.products = []
case "programs"?:
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true || $0.type == .test }
    package.products.removeAll { $0.name == "WaymarkLossyVFS" }
default: break
}
