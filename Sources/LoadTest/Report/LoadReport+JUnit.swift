// SPDX-License-Identifier: Apache-2.0

extension LoadReport {
    /// Returns the verdicts in the XML format of JUnit, which CI servers show: one test case for each verdict.
    public func junit(_ verdicts: [LoadVerdict]) -> String {
        let name = SVG.escaped("waymark bench \(mode)")
        let failures = verdicts.count(where: { $0.complaint != nil })
        let whole = runs.filter(\.isWhole)
        let seconds = whole.reduce(0) { $0 + $1.figures.seconds }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
            <testsuite name="\(name)" tests="\(verdicts.count)" failures="\(failures)" errors="0" skipped="0" \
            time="\(seconds)" timestamp="\(SVG.escaped(at))">
            <properties><property name="command" value="\(SVG.escaped("waymark \(command)"))"/></properties>

            """
        for verdict in verdicts {
            let seconds = whole.reduce(0) { $0 + ($1.label == verdict.label ? $1.figures.seconds : 0) }
            text += "<testcase classname=\"\(name)\" name=\"\(SVG.escaped("\(verdict.label): \(verdict.assertion)"))\" "
            text += "time=\"\(seconds)\""
            if let complaint = verdict.complaint.map(SVG.escaped) {
                text += "><failure type=\"assertion\" message=\"\(complaint)\">\(complaint)</failure></testcase>\n"
            } else {
                text += "/>\n"
            }
        }
        return text + "</testsuite>\n</testsuites>\n"
    }
}
