// Package apptest provides an app for tests. The app has a home directory for its user, but no
// model and no network.
package apptest
