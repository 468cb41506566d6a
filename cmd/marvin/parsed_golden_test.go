package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/goldentest"
)

func TestCommandLineParsing(t *testing.T) {
	goldentest.Transcript(t, "parsed.txt", os.Getenv("UPDATE_GOLDEN") != "", func(_, line string) (string, error) {
		var out bytes.Buffer
		words := shellWords(line)
		command, opts, done, err := parse(words, &out)
		if help, is := command.(helpCommand); is && err == nil {
			err = help.Run(context.Background(), cli.World{Stdout: &out}, opts)
		}
		if err != nil {
			return "", err
		}
		text := fmt.Sprintf("%T, prompt %q", command, opts.Words)
		if opts.Prompt != nil {
			text += fmt.Sprintf(", --prompt %q", *opts.Prompt)
		}
		if opts.Resume != nil {
			text += fmt.Sprintf(", --resume %q", *opts.Resume)
		}
		if done {
			text = "printed"
		}
		if printed := out.String(); printed != "" {
			first, _, _ := strings.Cut(strings.TrimSpace(printed), "\n")
			text += "\n" + first
		}
		return text, nil
	})
}

// shellWords splits a line at blanks outside single quotes.
func shellWords(line string) (words []string) {
	for n, part := range strings.Split(line, "'") {
		if n%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
