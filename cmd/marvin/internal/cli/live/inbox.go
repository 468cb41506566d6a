package live

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/live"
	"marvin/ui/termsafe"
)

type inboxCommand struct {
	Args struct {
		Words []string `positional-arg-name:"answer SESSION/QUESTION yes|no|WORDS" description:"answer a question"`
	} `positional-args:"yes"`
}

func (c inboxCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	all, err := cli.LiveSessions(ctx, world)
	if err != nil {
		return err
	}
	list, err := live.InboxOf(cli.OpenHome(world), all)
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", termsafe.Line(err.Error()))
	}
	words := c.Args.Words
	switch {
	case len(words) >= 3 && words[0] == "answer":
		waiting, err := live.FindWaiting(list, words[1])
		if err != nil {
			return err
		}
		return replies(ctx, world, waiting, words[2], strings.Join(words[3:], " "))
	case len(words) > 0:
		return errors.New("to list the questions that wait for your answer, run marvin inbox; to answer one, run marvin inbox answer SESSION/QUESTION yes|no|WORDS")
	case opts.Output == "json":
		return cli.WriteLine(world, list)
	case opts.Output == "jsonl":
		return errors.New("\"marvin inbox\" writes text, or JSON with --output json")
	case len(list) == 0:
		fmt.Fprintln(world.Stdout, "No question waits.")
		return nil
	}
	return goThrough(ctx, world, list)
}

// goThrough prints each question. On a terminal, it also reads the user's answer.
func goThrough(ctx context.Context, w cli.World, list []live.Waiting) error {
	asks := cli.Terminal(w.Stdin) && cli.Terminal(w.Stdout)
	lines := bufio.NewReader(w.Stdin)
	for _, waiting := range list {
		if _, err := fmt.Fprint(w.Stdout, waiting.Show(w.Now())); err != nil {
			return cli.OutputError(err)
		}
		if !asks {
			continue
		}
		fmt.Fprint(w.Stdout, "  Answer \"yes\", \"no\", \"no WORDS\" (WORDS say what to do instead) or an option; Enter skips it: ")
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		word, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" {
			continue
		}
		if err := replies(ctx, w, waiting, word, text); err != nil {
			fmt.Fprintln(w.Stderr, "warning:", termsafe.Line(err.Error()))
		}
	}
	return nil
}

func replies(ctx context.Context, w cli.World, waiting live.Waiting, word, text string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*cli.LiveTimeout)
	defer cancel()
	if err := waiting.Answer(ctx, "marvin inbox", word, text); err != nil {
		return err
	}
	fmt.Fprintf(w.Stdout, "Answered %s.\n", termsafe.Line(waiting.Name))
	return nil
}
