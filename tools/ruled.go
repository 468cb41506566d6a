package tools

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence/words"
	"marvin/tools/internal/params"
	"marvin/tools/internal/permit"
)

// The user's rules examine every value in a call's arguments, at any depth, and the name of the
// argument that contains the value. They also examine the real paths of the call's files.

func (c Call) ruled(env Env, written json.RawMessage, asks bool) permit.Call {
	call := permit.Call{Tool: c.Tool.Name, Command: c.Command, Asks: asks}
	if c.Command != nil {
		return call
	}
	call.MatchesFile = env.matchesFile
	call.Parameters = c.Tool.Parameters()
	call.Values = c.files(env)
	decoded := written
	if c.args != nil { // the names and values that the tool receives
		if arguments, err := c.args(); err == nil {
			decoded = arguments
		}
	}
	values, worded := texts(decoded, c.Tool.foreign, nil)
	for n := range values {
		if files := fileArgument(values[n].Argument); files && c.Tool.Access != Free && env.Dir != "" {
			values[n].File = env.PlaceAt(expanded(env, values[n].Text), false).Path
		}
	}
	call.Values = append(call.Values, values...)
	call.Main = mainArgument(call.Parameters, worded)
	asWritten, _ := texts(written, c.Tool.foreign, c.Tool.declares)
	for _, value := range asWritten { // a deny rule can match the written text or the decoded text
		if !slices.ContainsFunc(values, func(known permit.Value) bool { return known.Text == value.Text }) {
			call.Values = append(call.Values, permit.Value{Text: value.Text})
		}
	}
	return call
}

// files returns the files and directories in c.Places, except the working directory.
func (c Call) files(env Env) (list []permit.Value) {
	if c.Places == nil || c.Tool.Access == Free || env.Dir == "" {
		return nil
	}
	all := ResolveLinks(env.Dir)
	for _, place := range c.Places(env) {
		if place.Path != "" && place.Path != all {
			list = append(list, permit.Value{Text: place.Path, File: place.Path})
			// If place.Path is gone when the call runs, the call uses lines.Name.
			for _, lines := range words.Ranges(place.Path) {
				list = append(list, permit.Value{Text: lines.Name, File: lines.Name})
			}
		}
	}
	return list
}

// fileArgument guesses from an argument's name whether the argument contains the path of a file or
// directory.
func fileArgument(name string) bool {
	switch name {
	case "path", "paths", "file", "files", "dir", "directory", "folder", "root":
		return true
	}
	return strings.HasSuffix(name, "_path") || strings.HasSuffix(name, "_file") || strings.HasSuffix(name, "_dir")
}

// mainArgument returns the first parameter whose argument contains a string. If there are no
// parameters, it returns the first argument that contains a string.
func mainArgument(parameters, worded []string) string {
	for _, name := range parameters {
		if slices.Contains(worded, name) {
			return name
		}
	}
	if len(parameters) == 0 && len(worded) > 0 {
		return worded[0]
	}
	return ""
}

// declares returns true if the tool's schema has a property with this name at any depth.
func (t Tool) declares(name string) bool {
	schema, err := t.Schema()
	if err != nil {
		return false
	}
	quoted, err := json.Marshal(name)
	return err == nil && bytes.Contains(schema, append(quoted, ':'))
}

// texts returns the strings, numbers and booleans in a call's arguments, at any depth. If
// isDeclared is not nil, texts also returns the undeclared names in nested objects. The second
// result lists the arguments that contain a string.
func texts(arguments json.RawMessage, inStrings bool, isDeclared func(name string) bool) (values []permit.Value, worded []string) {
	for _, one := range params.TextsOf(arguments, inStrings) {
		switch one.Kind {
		case params.NameText:
			if isDeclared == nil || isDeclared(one.Text) {
				continue
			}
		case params.StringText:
			worded = append(worded, one.Argument)
		}
		values = append(values, permit.Value{Argument: one.Argument, Text: one.Text})
	}
	return values, worded
}

func expanded(env Env, path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/') && env.Home != "" {
		return env.Home + rest
	}
	return path
}

// matchesFile reports whether a rule's pattern matches file, which is an absolute path without
// symbolic links. A pattern that does not start with "/", "~" or "*" is relative to the working
// directory. If links is true, matchesFile also resolves symbolic links in the pattern and
// recognizes hard links to the file.
func (e Env) matchesFile(pattern, file string, links bool) bool {
	clean := filepath.Clean(expanded(e, pattern))
	if strings.HasSuffix(pattern, "/") {
		clean += "/*"
	}
	if permit.Glob(pattern, file) || permit.Glob(clean, file) {
		return true
	}
	for _, dir := range []string{e.Dir, ResolveLinks(e.Dir)} {
		if rest, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rest) && permit.Glob(clean, rest) {
			return true
		}
	}
	if !links {
		return false
	}
	if !filepath.IsAbs(clean) {
		clean = filepath.Join(e.Dir, clean)
	}
	fixed, _, some := strings.Cut(clean, "*")
	if !some {
		return ResolveLinks(clean) == file || sameFile(clean, file)
	}
	dir := fixed[:strings.LastIndexByte(fixed, '/')+1]
	return dir != "" && permit.Glob(filepath.Join(ResolveLinks(dir), clean[len(dir):]), file)
}

func sameFile(one, other string) bool {
	first, err := os.Stat(one)
	if err != nil {
		return false
	}
	second, err := os.Stat(other)
	return err == nil && os.SameFile(first, second)
}
