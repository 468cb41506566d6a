// Package storetest has what tests of several stores share: a fixed time, files, and processes that do one thing.
package storetest
