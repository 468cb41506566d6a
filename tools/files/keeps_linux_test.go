package files

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/tools"
)

// An edit keeps the mode and the extended attributes of a file, and says that another name of
// it keeps the old content.
func TestAnEditKeepsWhatItDoesNotChange(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(path, []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	marked := unix.Setxattr(path, "user.tag", []byte("keep"), 0) == nil // not on every file system
	if err := os.Chmod(path, 0o664|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, filepath.Join(dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	run := func(name, args string) string {
		for _, tool := range Tools() {
			if tool.Name == name {
				call, err := tool.Decode(json.RawMessage(args))
				if err != nil {
					t.Fatal(err)
				}
				output, err := call.Run(t.Context(), tools.Env{Dir: dir, Root: dir, Coding: true, Seen: &tools.Stamps{}})
				if err != nil {
					t.Fatal(err)
				}
				return output.Text
			}
		}
		t.Fatal(name)
		return ""
	}
	if text := run("apply_patch", `{"path":"a.txt","old_str":"old","new_str":"new"}`); !strings.Contains(text, "a second name") {
		t.Errorf("the other name is not mentioned: %s", text)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o664|os.ModeSetgid {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if value := make([]byte, 10); marked {
		if n, err := unix.Getxattr(path, "user.tag", value); err != nil || string(value[:n]) != "keep" {
			t.Errorf("the attribute is %q, %v", value[:n], err)
		}
	}
	run("create_file", `{"path":"run.sh","content":"#!/bin/sh\necho hi\n"}`)
	if info, err := os.Stat(filepath.Join(dir, "run.sh")); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("a script cannot be run: %v, %v", info.Mode(), err)
	}
	run("create_file", `{"path":"empty.txt","content":""}`)
	run("apply_patch", `{"path":"empty.txt","old_str":"","new_str":"first\n"}`)
	if content, err := os.ReadFile(filepath.Join(dir, "empty.txt")); err != nil || string(content) != "first\n" {
		t.Errorf("an empty file cannot be filled: %q, %v", content, err)
	}
}
