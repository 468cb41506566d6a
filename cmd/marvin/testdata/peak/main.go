// Command peak runs a command and writes the peak of its resident memory, in KiB,
// to the file named first. It is a program of its own because a child inherits the
// peak of the process that forks it, and a test binary is larger than Marvin.
package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

func main() {
	command := exec.Command(os.Args[2], os.Args[3:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		os.Exit(1)
	}
	peak := command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if err := os.WriteFile(os.Args[1], []byte(strconv.FormatInt(peak, 10)), 0o600); err != nil {
		os.Exit(2)
	}
}
