// Package cli contains the code that all commands share: the environment of the program, options,
// streams, exit codes and files.
package cli
