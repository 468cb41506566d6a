// Package bookmarks stores web addresses for the user.
//
// The bookmarks are in bookmarks.json of the active profile. The Python Marvin stored bookmarks for
// all profiles in one file; these are listed as well, but never changed.
package bookmarks
