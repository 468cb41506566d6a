// Package apptest creates an app for tests, with a home directory but without a model or network
// access.
package apptest
