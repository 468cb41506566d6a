// Package clitest provides helpers for testing commands.
package clitest
