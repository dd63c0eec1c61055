// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The types of parameters and columns that this library encodes and decodes. The raw values are PostgreSQL's object
/// ids, which are the same in every server (`pg_type.dat`).
public enum ParameterType: UInt32, Sendable, CaseIterable {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int4 = 23
    case text = 25
    case float8 = 701

    case byteaArray = 1001
    case textArray = 1009
    case int8Array = 1016
    case float8Array = 1022

    var oid: Oid { rawValue }
}
