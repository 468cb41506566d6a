package command

import (
	"strings"
)

// language identifies a group of languages with the same rules for literals.
type language uint8

const (
	noLanguage language = iota
	python
	javascript
	perl // perl, ruby, php and tcl, whose strings can span lines
	awk
	lua
	otherLanguage
)

// languageOf returns the language that an interpreter runs. A version at the end of the name is
// ignored.
func languageOf(name string) language {
	switch strings.TrimRight(name, "0123456789.") {
	case "python", "pypy", "ipython", "bpython", "micropython":
		return python
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node", "qjs", "osascript":
		return javascript
	case "perl", "ruby", "irb", "php", "tclsh", "expect", "wish", "jruby", "raku":
		return perl
	case "awk", "gawk", "mawk", "nawk":
		return awk
	case "lua", "luajit", "texlua":
		return lua
	case "Rscript", "R", "julia", "emacs", "guile", "sbcl", "groovy", "scala", "ghci", "elixir", "iex", "erl", "racket", "octave", "pwsh", "jshell", "nix-instantiate":
		return otherLanguage
	}
	return noLanguage
}

// valueLetters returns the interpreter's one-letter options whose value is not a program.
func (l language) valueLetters() string {
	switch l {
	case python:
		return "WX"
	case javascript:
		return "rC"
	case perl:
		return "IdC"
	}
	return "l"
}

// codeOf returns the programs in the arguments of an interpreter.
func codeOf(name string, args []Word) (list []Word) {
	language := languageOf(name)
	letters := "eEr"
	switch language {
	case python:
		letters = "c"
	case awk:
		return awkProgram(args)
	case javascript:
		letters = "ep"
	}
	for n, arg := range args {
		text := arg.Text
		option, value, valued := strings.Cut(text, "=")
		switch {
		case option == "--eval" || option == "--print" || option == "--execute" || option == "-Command" || text == "eval" && n == 0:
			if valued {
				list = append(list, Word{Text: value, runs: arg.runs})
			} else {
				list = append(list, args[min(n+1, len(args)):min(n+2, len(args))]...)
			}
		case strings.HasPrefix(text, "--") || len(text) < 2 || text[0] != '-':
			if text == "--" {
				return list
			}
		case strings.IndexByte(letters, text[len(text)-1]) >= 0 && !strings.ContainsAny(text, ":=/") && n+1 < len(args): // -e and -lane match; -MData::Some does not
			list = append(list, args[n+1])
		case strings.IndexByte(letters, text[1]) >= 0 && len(text) > 2:
			list = append(list, Word{Text: text[2:], runs: arg.runs})
		}
	}
	return list
}

// awkProgram returns the program in awk's arguments, or nil if a file contains the program.
func awkProgram(args []Word) []Word {
	for n := 0; n < len(args); n++ {
		text := args[n].Text
		switch {
		case strings.HasPrefix(text, "-f") || strings.HasPrefix(text, "--file"):
			return nil
		case text == "--":
			return args[min(n+1, len(args)):min(n+2, len(args))]
		case text == "-F" || text == "-v" || text == "--assign" || text == "--field-separator":
			n++
		case !strings.HasPrefix(text, "-"):
			return args[n : n+1]
		}
	}
	return nil
}
