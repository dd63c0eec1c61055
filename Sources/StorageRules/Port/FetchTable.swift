// SPDX-License-Identifier: Apache-2.0

/// The state of the fetches of each source. Changing it makes no revision in the change log.
protocol FetchTable {
    func find(_ source: String) throws -> FetchState?
    func store(_ state: FetchState) throws
    func forget(_ source: String) throws
}
