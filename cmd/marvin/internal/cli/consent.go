package cli

import (
	"bufio"
	"fmt"
	"strings"
)

// Confirm asks the user a question and returns nil if the answer is yes. After any other answer, it
// prints the notice and returns [ErrReported]. The caller must make sure that a user is present.
func Confirm(world World, question, notice string) error {
	fmt.Fprintf(world.Stderr, "%s [y/N] ", question)
	line, err := bufio.NewReader(world.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	if err != nil { // the input ended without a line break
		fmt.Fprintln(world.Stderr)
	}
	fmt.Fprintln(world.Stderr, notice)
	return ErrReported
}
