package sessions

import (
	"bufio"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/sessions"
)

const mostOffered = 20

// mostAsked is the maximum number of questions that choose() asks the user.
const mostAsked = 10

// offer writes a numbered list of the first conversations to standard error, and returns the listed
// conversations.
func (c Conversations) offer(list []sessions.Info) []sessions.Info {
	list = list[:min(len(list), mostOffered)]
	for i, info := range list {
		fmt.Fprintf(c.World.Stderr, "%3d  %s\n", i+1, Row(info, 0))
	}
	return list
}

func (c Conversations) choose(person bool) (string, error) {
	list := c.List()
	switch {
	case !person || c.World.Stdin == nil || !cli.Terminal(c.World.Stdin):
		return "", errors.New("--resume: give the id or name of a conversation, or words from it; to list all conversations, run marvin sessions list")
	case len(list) == 0:
		fmt.Fprintln(c.World.Stderr, "There is no conversation yet; a new one begins.")
		return "", nil
	}
	all := list
	list = c.offer(all)
	lines := bufio.NewReader(c.World.Stdin)
	for range mostAsked {
		fmt.Fprintf(c.World.Stderr, "Which one? 1-%d, words to search for, or Enter for a new one: ", len(list))
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("--resume: %w", err)
		}
		if line = strings.TrimSpace(line); line == "" {
			return "", nil
		}
		if number, err := strconv.Atoi(line); err == nil && number >= 1 && number <= len(list) {
			return list[number-1].ID, nil
		} else if err == nil {
			continue
		}
		if found := (Archive{Conversations: c}).FindMatching(all, line); len(found) > 0 {
			list = c.offer(found)
		} else {
			fmt.Fprintf(c.World.Stderr, "No conversation is called %q or contains that text.\n", line)
		}
	}
	return "", errors.New("--resume: no conversation was chosen; to continue the last one, run marvin -c; to list all, run marvin sessions list")
}
