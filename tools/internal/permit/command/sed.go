package command

import (
	"strings"
)

// streamEdits inspects the shell commands that a sed script runs and the files that it writes.
func (i *inspector) streamEdits(part Part, text string, depth int) {
	s := sedScript{text: text}
	for range len(text) + 1 {
		if i.looked++; i.tired() || !s.command() {
			break
		}
	}
	if s.broken {
		i.searchUnparsed(part, text)
	}
	for _, line := range s.runs {
		if strings.TrimSpace(line) == "" {
			i.danger(part, "runs each line that it reads", "e")
		}
		i.inProgram(func() {
			i.withoutSyntaxErrors(func() { i.script(strings.ReplaceAll(line, Hole, unknownValue), depth) })
		})
	}
	for _, file := range s.writes {
		i.checkWrite(Word{Text: file, tilde: strings.HasPrefix(file, "~")})
	}
}

// SedScripts returns the scripts in the arguments of sed.
func SedScripts(args []Word) (list []Word) {
	given := false
	for n := 0; n < len(args); n++ {
		for _, option := range []string{"-e", "--expression"} {
			if value, ok := optionValue(args, n, option); ok {
				list, given = append(list, value), true
			}
		}
		text := args[n].Text
		given = given || strings.HasPrefix(text, "-f") || strings.HasPrefix(text, "--file")
		if strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && len(text) > 2 && strings.HasSuffix(text, "e") && n+1 < len(args) { // -ne
			list, given = append(list, args[n+1]), true
		}
		if !strings.HasPrefix(text, "-") && !given && strings.Trim(text, "0123456789") != "" { // a number is the value of -l, not a script
			return append(list, args[n])
		}
	}
	return list
}

type sedScript struct {
	text   string
	at     int
	runs   []string
	writes []string
	broken bool
}

// command consumes one sed command. The result is false at the end of the script or on a syntax
// error.
func (s *sedScript) command() bool {
	s.skip(" \t\n;}")
	if !s.address() {
		return false
	}
	c := s.text[s.at]
	s.at++
	switch c {
	case '{', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
	case 'l', 'L', 'q', 'Q':
		s.skip(" 0123456789")
	case 'e':
		s.runs = append(s.runs, s.line())
	case 'w', 'W':
		s.writes = append(s.writes, strings.TrimSpace(s.line()))
	case 'r', 'R', '#', 'v':
		s.line()
	case 'a', 'i', 'c':
		s.skipText()
	case ':', 'b', 't', 'T':
		for s.at < len(s.text) && !strings.ContainsRune(";\n}", rune(s.text[s.at])) {
			s.at++
		}
	case 's', 'y':
		s.substitution(c)
	default:
		s.broken = true
		return false
	}
	return true
}

func (s *sedScript) skip(characters string) {
	for s.at < len(s.text) && strings.IndexByte(characters, s.text[s.at]) >= 0 {
		s.at++
	}
}

// line consumes the rest of the current line.
func (s *sedScript) line() string {
	rest, _, _ := strings.Cut(s.text[s.at:], "\n")
	s.at += len(rest)
	return rest
}

// skipText skips text that the script inserts. After a backslash at the end of a line, the text
// continues on the next line.
func (s *sedScript) skipText() {
	for {
		line := s.line()
		if !strings.HasSuffix(line, `\`) || s.at >= len(s.text) {
			return
		}
		s.at++
	}
}

// address advances s.at past the addresses of a sed command. The result is false if no command
// follows.
func (s *sedScript) address() bool {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c >= '0' && c <= '9' || strings.IndexByte("$,~+! \t", c) >= 0:
			s.at++
		case c == '/' || c == '\\' && s.at+1 < len(s.text):
			s.at += countOf(c == '\\')
			if s.delimited(s.text[s.at]); s.broken {
				return false
			}
			s.skip("IM")
		default:
			return true
		}
	}
	return false
}

// delimited returns the text between the delimiter at s.at and the next delimiter. If there is no
// next delimiter, s.broken is set.
func (s *sedScript) delimited(delimiter byte) string {
	begin := s.at + 1
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case delimiter:
			s.at++
			return s.text[begin : s.at-1]
		case '\\':
			s.at++
		}
	}
	s.broken = true
	return ""
}

// substitution consumes the rest of an s or y command. For the flags "e" and "w", it records the
// command to run and the file to write.
func (s *sedScript) substitution(command byte) {
	if s.at >= len(s.text) {
		return
	}
	delimiter := s.text[s.at]
	s.delimited(delimiter)
	s.at-- // the middle delimiter ends one part and begins the next
	with := s.delimited(delimiter)
	if command == 'y' {
		return
	}
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == 'e':
			s.runs = append(s.runs, strings.NewReplacer(`\n`, "\n", `\`+string(delimiter), string(delimiter), "&", Hole).Replace(with))
		case c == 'w':
			s.at++
			s.writes = append(s.writes, strings.TrimSpace(s.line()))
			return
		case strings.IndexByte("gpiImM0123456789", c) < 0:
			return
		}
	}
}
