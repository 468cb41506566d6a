package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"marvin/ui/termsafe"
)

// mostOffered is how many conversations one chooses from.
const mostOffered = 20

// choose lets a person choose.
func (c conversations) choose(person bool) (string, error) {
	list, err := c.list()
	if err != nil {
		return "", err
	}
	switch {
	case !person || c.world.Stdin == nil || !terminal(c.world.Stdin):
		return "", errors.New("--resume: say which conversation, by its id, name or words; marvin sessions list shows them all")
	case len(list) == 0:
		fmt.Fprintln(c.world.Stderr, "There is no conversation yet; a new one begins.")
		return "", nil
	}
	list = list[:min(len(list), mostOffered)]
	for i, info := range list {
		fmt.Fprintf(c.world.Stderr, "%3d  %-16s  %3d turns  %s  %s\n", i+1, info.Updated.Local().Format("2006-01-02 15:04"), info.Turns, termsafe.Line(info.Called()), termsafe.Line(filepath.Base(info.Dir)))
	}
	lines := bufio.NewReader(c.world.Stdin)
	for range 3 {
		fmt.Fprintf(c.world.Stderr, "Which one? 1-%d, or Enter for a new one: ", len(list))
		line, err := lines.ReadString('\n')
		if err != nil {
			return "", fmt.Errorf("--resume: %w", err)
		}
		if line = strings.TrimSpace(line); line == "" {
			return "", nil
		}
		if number, err := strconv.Atoi(line); err == nil && number >= 1 && number <= len(list) {
			return list[number-1].ID, nil
		}
	}
	return "", errors.New("--resume: no conversation was chosen")
}
