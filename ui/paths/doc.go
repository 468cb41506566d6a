// Package paths finds a path among half a million while the user types a part of it. It holds them
// in one block of text, 60 bytes per path, and searches in milliseconds; its caller reads the disk.
package paths
