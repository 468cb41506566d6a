// Package paths finds a path among half a million while somebody types a part of it. It
// holds all of them in one block of text, 60 bytes a path, and is searched in milliseconds;
// who reads them from the disk is somebody else.
package paths
