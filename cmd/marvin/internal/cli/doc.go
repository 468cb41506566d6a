// Package cli is what all commands share: the world outside, options, streams, exit codes and files.
package cli
