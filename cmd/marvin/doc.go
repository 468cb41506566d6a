// Command marvin turns arguments and the outside world into a running tree and an
// exit code.
//
// main.go collects the world, flags.go reads the arguments, wire.go is the only
// place where the parts of the program meet, and there is one file per way to run:
// headless.go, interactive.go, toolcmd.go, doctor.go.
package main
