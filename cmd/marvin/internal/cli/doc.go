// Package cli contains the code that all commands share: the world outside, options, streams, exit
// codes and files.
package cli
