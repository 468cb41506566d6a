package main

import (
	"bufio"
	"fmt"
	"strings"
)

// consented asks the person a question of a command and returns nil if they said yes. That they
// did not is their choice and no error: what did not happen is told, and the exit code says it.
// The caller knows that somebody is there.
func consented(world World, question, otherwise string) error {
	fmt.Fprintf(world.Stderr, "%s [y/N] ", question)
	line, err := bufio.NewReader(world.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	if err != nil { // the end of input leaves the cursor behind the question
		fmt.Fprintln(world.Stderr)
	}
	fmt.Fprintln(world.Stderr, otherwise)
	return errTold
}
