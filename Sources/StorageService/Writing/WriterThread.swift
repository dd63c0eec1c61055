// SPDX-License-Identifier: Apache-2.0

import Landmarks
import ZeroMQ

/// A thread on which an engine may block for as long as its server takes.
actor WriterThread {
    /// What others may use of an engine that lives here.
    struct Opened: Sendable {
        var reader: StorageReader
        var index: SearchIndex
        var copier: any DatabaseCopying
        var remote: EngineRemote
        var state: WriterLane.State
    }

    private let loop: EventLoop
    private let remote: EngineRemote
    private var engine: (any StorageEngine)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter remote: that of the engine which it will open.
    init(_ remote: EngineRemote) throws(ZeroMQError) {
        loop = try EventLoop(name: "waymark-writer")
        self.remote = remote
    }

    func open(_ body: @Sendable () throws(EngineError) -> any StorageEngine) throws(EngineError) -> Opened {
        let engine = try body()
        self.engine = engine
        return Opened(
            reader: engine.reader, index: engine.index, copier: engine.copier, remote: engine.remote,
            state: WriterLane.State(engine))
    }

    /// - Returns: also what the engine has come to; nil: it is closed.
    func perform<Value: Sendable>(
        _ body: @Sendable (any StorageEngine) throws(EngineError) -> Value
    ) -> (Result<Value, EngineError>, WriterLane.State?) {
        guard let engine else { return (.failure(.closed), nil) }
        engine.remote.works(true)
        defer { engine.remote.works(false) }
        do throws(EngineError) {
            return (.success(try body(engine)), WriterLane.State(engine))
        } catch {
            return (.failure(error), WriterLane.State(engine))
        }
    }

    /// Ends what it waits for, and everything.
    nonisolated func close() async {
        remote.interrupt()
        await closeEngine()
        await loop.stop()
    }

    private func closeEngine() {
        engine?.close()
        engine = nil
    }
}
