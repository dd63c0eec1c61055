// SPDX-License-Identifier: Apache-2.0

import WaymarkCLI

@main
struct Main {
    static func main() async {
        await WaymarkTool.main(Array(CommandLine.arguments.dropFirst()))
    }
}
