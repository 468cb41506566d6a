package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

type inboxCommand struct {
	Args struct {
		Words []string `positional-arg-name:"answer SESSION/QUESTION yes|no|WORDS" description:"answers a question; nothing lists those that wait"`
	} `positional-args:"yes"`
}

func (c inboxCommand) run(ctx context.Context, world World, opts options) error {
	all, err := world.alive(ctx)
	if err != nil {
		return err
	}
	list := live.Inbox(all)
	words := c.Args.Words
	switch {
	case len(words) >= 3 && words[0] == "answer":
		waiting, err := live.Named(list, words[1])
		if err != nil {
			return err
		}
		return world.replies(ctx, waiting, words[2], strings.Join(words[3:], " "))
	case len(words) > 0:
		return errors.New("marvin inbox lists the questions that wait; marvin inbox answer SESSION/QUESTION yes|no|WORDS answers one")
	case opts.Output == "json":
		return writeLine(world, list)
	case opts.Output == "jsonl":
		return errors.New("marvin inbox writes text, or JSON with --output json")
	case len(list) == 0:
		fmt.Fprintln(world.Stdout, "No question waits.")
		return nil
	}
	return world.goThrough(ctx, list)
}

// goThrough shows the questions, and on a terminal asks for an answer to each.
func (w World) goThrough(ctx context.Context, list []live.Waiting) error {
	asks := terminal(w.Stdin) && terminal(w.Stdout)
	lines := bufio.NewReader(w.Stdin)
	for _, waiting := range list {
		if _, err := fmt.Fprint(w.Stdout, waiting.Show(w.Now())); err != nil {
			return unwritten(err)
		}
		if !asks {
			continue
		}
		fmt.Fprint(w.Stdout, "  yes, no, no and what to do instead, an option; Enter leaves it: ")
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		word, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" {
			continue
		}
		if err := w.replies(ctx, waiting, word, text); err != nil {
			fmt.Fprintln(w.Stderr, "warning:", termsafe.Line(err.Error()))
		}
	}
	return nil
}

// replies answers a question as it was shown.
func (w World) replies(ctx context.Context, waiting live.Waiting, word, text string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*answersWithin)
	defer cancel()
	window, err := door.Dial(ctx, waiting.Path, "marvin inbox", messages.RoleAnswer)
	if err != nil {
		return err
	}
	defer window.Close()
	if err := live.Answer(ctx, window, waiting.Reply(word, text)); err != nil {
		return fmt.Errorf("%s is not answered: %w", waiting.Name, err)
	}
	fmt.Fprintf(w.Stdout, "Answered %s.\n", termsafe.Line(waiting.Name))
	return nil
}
