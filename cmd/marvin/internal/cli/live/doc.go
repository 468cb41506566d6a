// Package live implements "marvin web" and the commands in [LiveCommands].
package live
