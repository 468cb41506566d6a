package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// onPaper puts a mark in front of every line, and removes blanks at its end.
func onPaper(mark, text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		lines.WriteString(strings.TrimRight(mark+strings.TrimSuffix(line, "\n"), " ") + "\n")
	}
	return lines.String()
}

// full is a disk that takes nothing any more.
func (c *console) full() *os.File {
	c.t.Helper()
	file, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = file.Close() })
	return file
}

// between executes an action between two commands.
func (c *console) between(words []string) string {
	c.t.Helper()
	path := filepath.Join(c.top, words[1])
	var err error
	switch words[0] {
	case "show":
		var content []byte
		if content, err = os.ReadFile(path); err == nil {
			return onPaper("  ", string(content))
		}
	case "copy":
		var content []byte
		if content, err = os.ReadFile(path); err == nil {
			c.write(words[2], content)
		}
	case "remove":
		err = os.RemoveAll(path)
	case "append":
		var content []byte
		if content, err = os.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		c.write(words[1], append(content, strings.Join(words[2:], " ")+"\n"...))
	case "directory": // a directory in place of a file cannot be read or written
		err = os.MkdirAll(path, 0o700)
	default:
		c.t.Fatalf("nothing is done for %q", words)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return ""
}
