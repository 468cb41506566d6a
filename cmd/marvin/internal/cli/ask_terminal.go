package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/tools"
	filling "marvin/ui/asking"
)

// TerminalAsker returns an asker for commands outside a conversation. The asker reads the user's
// answers from standard input, one line per question. An empty line accepts the displayed default,
// and EOF counts as "no".
func TerminalAsker(world World) tools.Asker {
	in := bufio.NewReader(world.Stdin)
	return func(ctx context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		asked := messages.Asked{
			Kind: inquiry.Kind, Title: inquiry.Title, Detail: inquiry.Detail, Questions: inquiry.Questions, Fields: inquiry.Fields,
			Choices: []messages.Choice{messages.Yes, messages.No},
		}
		declined := tools.Reply{Answer: messages.Answer{Choice: messages.No}}
		sheet := filling.New(asked)
		if sheet == nil {
			return declined, nil
		}
		fmt.Fprintf(world.Stderr, "%s\n%s\n", tools.Visible(asked.Title), tools.Visible(sheet.About()))
		for i := range sheet.Pages {
			page := &sheet.Pages[i]
			fmt.Fprintln(world.Stderr, tools.Visible(page.Text))
			for n, option := range page.Options {
				fmt.Fprintf(world.Stderr, "  %d. %s\n", n+1, tools.Visible(option.Label))
			}
			for {
				if ctx.Err() != nil {
					return declined, context.Cause(ctx)
				}
				fmt.Fprintf(world.Stderr, "%s> ", map[bool]string{true: "[" + tools.Visible(page.Stated) + "] "}[page.Stated != ""])
				line, err := in.ReadString('\n')
				if err != nil && strings.TrimSpace(line) == "" {
					fmt.Fprintln(world.Stderr)
					return declined, nil
				}
				err = page.Take(line)
				if err == nil {
					err = page.CheckRequired()
				}
				if err == nil {
					break
				}
				fmt.Fprintln(world.Stderr, err)
			}
		}
		whole, err := asked.CompleteAnswer(sheet.Answer())
		if err != nil {
			return declined, err
		}
		return tools.Reply{Answer: whole}, nil
	}
}
