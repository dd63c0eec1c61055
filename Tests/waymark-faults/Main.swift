// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-faults",
        abstract: "Causes faults while landmarks are written and followed, and checks every promise.",
        subcommands: [
            RunCommand.self, ValidateCommand.self, MutateCommand.self, WriterCommand.self, SubscriberCommand.self,
        ])
}
