// Package bookmarks stores web addresses for the user.
//
// The bookmarks are stored in the active profile's bookmarks.json. The Python version of Marvin
// stored the bookmarks of all profiles in one file. Marvin shows the bookmarks in that file, but
// never changes the file.
package bookmarks
