package command

import (
	"strings"
)

func recursive(args []Word) bool {
	return hasShort(args, 'r') || hasShort(args, 'R') || hasLong(args, "--recursive")
}

// hasShort reports whether a letter is among the one-letter options.
func hasShort(args []Word, letter byte) bool {
	for _, arg := range args {
		if arg.Text == "--" {
			return false
		}
		if strings.HasPrefix(arg.Text, "-") && !strings.HasPrefix(arg.Text, "--") && strings.IndexByte(arg.Text[1:], letter) >= 0 {
			return true
		}
	}
	return false
}

// hasLong reports whether a long option is present, perhaps abbreviated or with a value.
func hasLong(args []Word, option string) bool {
	for _, arg := range args {
		if arg.Text == "--" {
			return false
		}
		name, _, _ := strings.Cut(arg.Text, "=")
		if len(name) > 2 && strings.HasPrefix(option, name) || strings.HasPrefix(name, option) {
			return true
		}
	}
	return false
}

// operands returns the words that are not options.
func operands(args []Word) []Word {
	var list []Word
	for n, arg := range args {
		if arg.Text == "--" {
			return append(list, args[n+1:]...)
		}
		if !strings.HasPrefix(arg.Text, "-") || arg.Text == "-" {
			list = append(list, arg)
		}
	}
	return list
}
