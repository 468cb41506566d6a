// Package clitest provides a separate world for tests of commands.
package clitest
