// SPDX-License-Identifier: Apache-2.0

import CPostgreSQL

/// The types of parameters and columns that this library encodes and decodes. Their object ids are PostgreSQL's own and
/// the same in every server (`pg_type.dat`).
public enum ParameterType: UInt32, Sendable, CaseIterable {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int4 = 23
    case text = 25
    case float8 = 701
    case uuid = 2950

    case boolArray = 1000
    case byteaArray = 1001
    case int4Array = 1007
    case textArray = 1009
    case int8Array = 1016
    case float8Array = 1022
    case uuidArray = 2951

    var oid: Oid { rawValue }
}
