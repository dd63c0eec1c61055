// SPDX-License-Identifier: Apache-2.0

// Users of a cluster or a proxy need ports and the programs.
@_exported public import enum TestProcess.Ports
@_exported public import enum TestProcess.Products
