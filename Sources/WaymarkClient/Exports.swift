// SPDX-License-Identifier: Apache-2.0

// The types in this library's interface. They are exported, because their targets are no products, so that a program
// cannot import them. Of larger targets only these types are exported, because every exported name may clash with a
// name of the program or of another library. `.ci/outside` finds types that are missing here.

@_exported public import enum Accounts.KeyKind
@_exported public import enum Accounts.Role
@_exported public import struct Accounts.GrantToken
@_exported public import struct ChangeFeed.FeedCounters
@_exported public import struct ChangeFeed.FeedLoss
@_exported public import struct Geodesy.Coordinate
@_exported public import enum Geodesy.CoordinateError
@_exported public import struct Geodesy.MapTile
@_exported public import Landmarks
@_exported public import Rates
@_exported public import enum WaymarkProtocol.ErrorCode
@_exported public import struct WaymarkProtocol.FeedTopic
@_exported public import struct WaymarkProtocol.ServiceError
@_exported public import struct WaymarkProtocol.TileContents
@_exported public import struct WaymarkProtocol.Written
@_exported public import class ZeroMQ.Context
@_exported public import struct ZeroMQ.CurveKey
@_exported public import struct ZeroMQ.CurveKeyPair
@_exported public import enum ZeroMQ.SocketSecurity
