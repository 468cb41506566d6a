package permit

import "strings"

// recursive says whether options mean whole trees.
func recursive(args []Word) bool {
	return hasShort(args, 'r') || hasShort(args, 'R') || hasLong(args, "--recursive")
}

// hasShort looks for a letter among the one-letter options.
func hasShort(args []Word, letter byte) bool {
	for _, arg := range args {
		if arg.text == "--" {
			return false
		}
		if strings.HasPrefix(arg.text, "-") && !strings.HasPrefix(arg.text, "--") && strings.IndexByte(arg.text[1:], letter) >= 0 {
			return true
		}
	}
	return false
}

// hasLong looks for a long option, also cut short as GNU allows it, or with a value.
func hasLong(args []Word, option string) bool {
	for _, arg := range args {
		if arg.text == "--" {
			return false
		}
		name, _, _ := strings.Cut(arg.text, "=")
		if len(name) > 2 && strings.HasPrefix(option, name) || strings.HasPrefix(name, option) {
			return true
		}
	}
	return false
}

// operands are the words that are no options.
func operands(args []Word) []Word {
	var list []Word
	for n, arg := range args {
		if arg.text == "--" {
			return append(list, args[n+1:]...)
		}
		if !strings.HasPrefix(arg.text, "-") || arg.text == "-" {
			list = append(list, arg)
		}
	}
	return list
}
