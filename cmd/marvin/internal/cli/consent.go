package cli

import (
	"bufio"
	"fmt"
	"strings"
)

// Confirm asks the user a command's question and returns nil for yes. A no is not an error: the
// output and the exit status say that nothing happened. The caller must know that a user is
// present.
func Confirm(world World, question, otherwise string) error {
	fmt.Fprintf(world.Stderr, "%s [y/N] ", question)
	line, err := bufio.NewReader(world.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	if err != nil { // the input ended without a line break
		fmt.Fprintln(world.Stderr)
	}
	fmt.Fprintln(world.Stderr, otherwise)
	return ErrReported
}
