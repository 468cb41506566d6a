// Package storetest contains helpers for the tests of several packages.
package storetest
