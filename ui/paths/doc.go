// Package paths finds paths while the user types. It searches half a million paths within
// milliseconds, and stores them in one block of text, at 60 bytes per path. It does not read the
// disk: the caller adds the paths.
package paths
