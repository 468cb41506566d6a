// Package bookmarks keeps web addresses that a person wants to find again.
//
// They are in bookmarks.json of the active profile. Those that the Python Marvin kept
// for all profiles are shown as well and never written.
package bookmarks
