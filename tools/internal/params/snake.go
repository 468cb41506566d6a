package params

import (
	"strings"
	"unicode"
)

// Snake returns a name in snake case: MultiEdit becomes multi_edit.
func Snake(name string) string {
	var out strings.Builder
	runes := []rune(strings.TrimSpace(name))
	for i, r := range runes {
		switch {
		case r == '-' || r == ' ':
			if i > 0 {
				out.WriteByte('_')
			}
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])):
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
