// Package clitest gives tests of commands a world of their own.
package clitest
