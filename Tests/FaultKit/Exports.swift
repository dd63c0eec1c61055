// SPDX-License-Identifier: Apache-2.0

// Whoever uses a cluster or a proxy needs ports and the programs.
@_exported public import enum TestProcess.Ports
@_exported public import enum TestProcess.Products
