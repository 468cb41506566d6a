package permit

import (
	"regexp"
	"strings"
	"sync"
)

// handlesFiles says whether a program only works on files, so that its arguments never
// are a command.
func handlesFiles(name string) bool {
	switch name {
	case "ls", "cd", "cp", "mv", "rm", "ln", "mkdir", "rmdir", "touch", "chmod", "chown", "chgrp", "cat", "head", "tail", "wc", "stat", "file", "du", "df", "diff", "cmp",
		"sort", "uniq", "cut", "tee", "basename", "dirname", "realpath", "readlink", "tar", "zip", "unzip", "gzip", "install", "curl", "wget", "tree", "less", "more", "md5sum", "sha256sum",
		"export", "read", "printf", "set", "unset", "apt", "apt-get", "dpkg", "code", "vim", "nano":
		return true
	}
	return false
}

// sedCommands are scripts of sed that only print, delete and replace.
var sedCommands = sync.OnceValue(func() *regexp.Regexp {
	const address = `(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)(?:~\d+)?`
	const substitute = `s/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/[gpiI0-9]*|s\|(?:[^|\\\n]|\\.)*\|(?:[^|\\\n]|\\.)*\|[gpiI0-9]*|s#(?:[^#\\\n]|\\.)*#(?:[^#\\\n]|\\.)*#[gpiI0-9]*|s,(?:[^,\\\n]|\\.)*,(?:[^,\\\n]|\\.)*,[gpiI0-9]*`
	const command = `\s*(?:` + address + `(?:,[+~]?\d*` + `|,` + address + `)?)?\s*!?\s*(?:[pdqQ=]|` + substitute + `)\s*`
	return regexp.MustCompile(`^(?:` + command + `[;\n]?)+$`)
})

// plainSed says whether a script of sed only prints, deletes and replaces.
func plainSed(script string) bool {
	return !strings.Contains(script, hole) && sedCommands().MatchString(script)
}
