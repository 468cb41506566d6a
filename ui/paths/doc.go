// Package paths finds a path among half a million while the user types a part of it. It holds all
// paths in one block of text, 60 bytes per path, and searches it within milliseconds. Its caller
// reads the disk.
package paths
