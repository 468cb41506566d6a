package command

import "strings"

// In many languages, arguments can have names, or be entries of an object. The code in this file
// selects the arguments that form a command, and puts them in command-line order.

type given struct {
	words   [][]token // the program and its words, or one line
	instead []token   // the program that is executed instead of the first word
}

// These sets contain the usual names of named arguments: one set for the first word of a command,
// and one for the words after the first.
var (
	begins  = map[string]bool{"cmd": true, "command": true, "cmdline": true, "commandline": true, "command_line": true, "file": true, "program": true, "path": true, "script": true, "commands": true}
	follows = map[string]bool{"args": true, "argv": true, "arguments": true, "arg": true}
)

// sortArguments returns a command's arguments in their order on a command line. It drops named
// arguments that are not part of the command, such as the directory.
func sortArguments(arguments [][]token) (all given) {
	var first, middle, last [][]token
	var take func(argument []token, depth int)
	take = func(argument []token, depth int) {
		plain := trimSpread(argument)
		spread := len(plain) < len(argument)
		if argument = plain; len(argument) == 0 {
			return
		}
		if spread && argument[0].text == "[" && depth < 3 { // each entry is an argument
			for _, entry := range entries(argument) {
				take(entry, depth+1)
			}
			return
		}
		if argument[0].kind == sign && argument[0].text == "{" {
			if depth < 3 {
				for _, entry := range entries(argument) {
					if named(entry) {
						take(entry, depth+1)
					}
				}
			}
			return
		}
		if !named(argument) {
			middle = append(middle, argument)
			return
		}
		name, value := strings.ToLower(argument[0].text), argument[2:]
		switch {
		case len(value) == 0:
		case begins[name]:
			first = append(first, value)
		case follows[name]:
			last = append(last, value)
		case name == "executable":
			all.instead = value
		}
	}
	for _, argument := range arguments {
		take(argument, 0)
	}
	all.words = append(append(first, middle...), last...)
	return all
}

// trimSpread removes the spread operator from an argument: *[…], **{…}, ...[…].
func trimSpread(argument []token) []token {
	for len(argument) > 1 && argument[0].kind == sign && (strings.Trim(argument[0].text, "*") == "" || strings.Trim(argument[0].text, ".") == "") {
		argument = argument[1:]
	}
	return argument
}

func entries(object []token) (list [][]token) {
	object = object[1:]
	begin, depth := 0, 0
	for n, t := range object {
		if t.kind != sign {
			continue
		}
		switch {
		case t.text == "," && depth == 0:
			list = append(list, object[begin:n])
			begin = n + 1
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			if depth--; depth < 0 {
				return append(list, object[begin:n])
			}
		}
	}
	return append(list, object[begin:])
}

// named returns true for arguments passed by name, as in cwd="…" or "cwd": "…", and for empty
// arguments.
func named(argument []token) bool {
	if len(argument) < 2 {
		return len(argument) == 0
	}
	separated := argument[1].kind == sign && (argument[1].text == "=" || argument[1].text == ":")
	return separated && (argument[0].kind == nameToken || argument[0].kind == literal)
}
