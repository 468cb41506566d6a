package keyfile

import (
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/envvar"
)

// mostSetting is the maximum number of directory entries that [SetsKey] examines.
const mostSetting = 50

// SetsKey reports whether a shell's startup file seems to assign a literal key or login to a
// variable. If path is a directory, SetsKey examines the files in it.
func SetsKey(path string) bool {
	if entries, err := os.ReadDir(path); err == nil {
		for _, entry := range entries[:min(len(entries), mostSetting)] {
			if !entry.IsDir() && SetsKey(filepath.Join(path, entry.Name())) {
				return true
			}
		}
		return false
	}
	for line := range strings.Lines(string(beginning(path))) {
		if name, value := assignment(line); len(value) >= 8 && !strings.ContainsRune("/$~`(", rune(value[0])) && envvar.Secret(name, value) {
			return true
		}
	}
	return false
}

// assignment parses an assignment in a line of a shell's startup file. It recognizes these forms:
//
//	export NAME=value
//	set -gx NAME value
//	setenv NAME value
//	SETUVAR --export NAME:value
//	$env.NAME = "value"
func assignment(line string) (name, value string) {
	words := strings.Fields(strings.ReplaceAll(line, ";", " "))
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		name, value, given := strings.Cut(strings.TrimPrefix(word, "$env."), "=")
		switch {
		case strings.HasPrefix(word, "#"):
			return "", ""
		case word == "SETUVAR":
			if len(words) > 0 {
				name, value, _ = strings.Cut(words[len(words)-1], ":")
			}
			return name, value
		case word == "set" || word == "setenv" || strings.HasPrefix(word, "$env."):
			name = strings.TrimPrefix(word, "$env.")
			for _, word := range words {
				switch {
				case strings.HasPrefix(word, "-") || word == "=":
				case name == "set" || name == "setenv":
					name = word
				default:
					return name, strings.Trim(word, `"'`)
				}
			}
			return "", ""
		case given && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == "" && name != "":
			if value = strings.Trim(value, `"'`); envvar.Secret(name, value) {
				return name, value
			}
		}
	}
	return "", ""
}
