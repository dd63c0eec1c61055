// SPDX-License-Identifier: Apache-2.0

import EngineParts
import ZeroMQ

/// A thread on which an engine may block until its database server answers.
actor WriterThread {
    private let loop: EventLoop
    private let control: EngineControl
    private var engine: (any StorageEngine)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter control: the control of the engine that this thread will open.
    init(_ control: EngineControl) throws(ZeroMQError) {
        loop = try EventLoop(name: "waymark-writer")
        self.control = control
    }

    func open(
        _ body: @Sendable () throws(EngineError) -> any StorageEngine
    ) throws(EngineError) -> EngineExecutor.Opened {
        let engine = try body()
        self.engine = engine
        return EngineExecutor.Opened(engine)
    }

    /// Runs a job, and returns its result and the engine's state after it; the state is nil if the engine is closed.
    func perform<Value: Sendable>(
        _ body: @Sendable (any StorageEngine) throws(EngineError) -> Value
    ) -> (Result<Value, EngineError>, EngineExecutor.State?) {
        guard let engine else { return (.failure(.closed), nil) }
        engine.control.works(true)
        defer { engine.control.works(false) }
        let result = Result { () throws(EngineError) in try body(engine) }
        return (result, EngineExecutor.State(engine))
    }

    /// Interrupts the job in progress, closes the engine and ends the thread.
    nonisolated func close() async {
        control.interrupt()
        await closeEngine()
        await loop.stop()
    }

    private func closeEngine() {
        engine?.close()
        engine = nil
    }
}
