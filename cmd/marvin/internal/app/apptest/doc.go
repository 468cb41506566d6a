// Package apptest provides an app for tests whose user has a home directory, without a model or a
// network.
package apptest
