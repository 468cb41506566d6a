package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fromPipe returns standard input from a pipe whose writer is closed.
func fromPipe(t *testing.T, text string) *os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	go func() {
		defer writer.Close()
		_, _ = writer.WriteString(text) // who reads may have enough
	}()
	return reader
}

func TestPromptFromArgumentsAndPipe(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := func(text string) *string { return &text }
	whole := strings.Repeat("x", maxInput)
	for name, test := range map[string]struct {
		opts      Options
		pipe      string
		want, err string
	}{
		"an option":                 {opts: Options{Prompt: text("go")}, want: "go"},
		"words":                     {opts: Options{Words: []string{"go", "on"}}, want: "go on"},
		"a file":                    {opts: Options{PromptFile: file("a", "go\n")}, want: "go\n"},
		"the pipe":                  {pipe: " go\n", want: "go"},
		"the pipe, as an option":    {opts: Options{Prompt: text("-")}, pipe: "go", want: "go"},
		"the pipe, as a file":       {opts: Options{PromptFile: "-"}, pipe: "go", want: "go"},
		"an option and the pipe":    {opts: Options{Prompt: text("look: ")}, pipe: "this\n", want: "look: \n\nthis"},
		"words and the pipe":        {opts: Options{Words: []string{"look"}}, pipe: "this", want: "look\n\nthis"},
		"a file and the pipe":       {opts: Options{PromptFile: file("b", " look\n")}, pipe: " \n", want: " look\n"},
		"words beside an option":    {opts: Options{Prompt: text("go"), Words: []string{"on", "and"}}, err: `the command line has the words "on and" besides the prompt; put the whole prompt in quotes, or leave those words out`},
		"words beside a file":       {opts: Options{PromptFile: "x", Words: []string{"on"}}, err: `the command line has the words "on" besides the prompt; put the whole prompt in quotes, or leave those words out`},
		"words beside the pipe":     {opts: Options{Prompt: text("-"), Words: []string{"on"}}, pipe: "go", want: "on\n\ngo"},
		"nothing":                   {err: "--prompt required"},
		"blanks":                    {opts: Options{Prompt: text(" \n")}, pipe: "\n", err: "--prompt required"},
		"no text":                   {opts: Options{Prompt: text("a\xffb")}, want: "a�b"},
		"a file that is not there":  {opts: Options{PromptFile: filepath.Join(dir, "none")}, err: "--prompt-file: there is no file " + filepath.Join(dir, "none")},
		"a directory":               {opts: Options{PromptFile: dir}, err: "--prompt-file: " + dir + " is a directory"},
		"a file below a file":       {opts: Options{PromptFile: filepath.Join(dir, "a", "x")}, err: "--prompt-file: open " + filepath.Join(dir, "a", "x") + ": not a directory"},
		"as much as there may be":   {opts: Options{PromptFile: file("c", whole)}, want: whole},
		"more than that in a file":  {opts: Options{PromptFile: file("d", whole+"x")}, err: "--prompt-file: " + filepath.Join(dir, "d") + " is larger than 4 MB; mention the file in the prompt instead, so that it is read in parts"},
		"as much by a pipe":         {pipe: whole, want: whole},
		"more than that by a pipe":  {pipe: whole + "x", err: "standard input is larger than 4 MB; put it into a file, and mention the file in the prompt"},
		"an option and a long pipe": {opts: Options{Prompt: text("go")}, pipe: whole, want: "go\n\n" + whole},
	} {
		prompt, err := ReadPrompt(test.opts, fromPipe(t, test.pipe))
		got := prompt.Text
		if said := ""; err != nil || test.err != "" {
			if err != nil {
				said = err.Error()
			}
			if said != test.err {
				t.Errorf("%s: %v, want %q", name, err, test.err)
			}
			continue
		}
		if got != test.want {
			t.Errorf("%s: %.40q of %d bytes, want %.40q of %d", name, got, len(got), test.want, len(test.want))
		}
	}
	if got, err := ReadPrompt(Options{Prompt: text("go")}, nil); err != nil || got.Text != "go" {
		t.Errorf("without standard input: %q, %v", got.Text, err)
	}
}
