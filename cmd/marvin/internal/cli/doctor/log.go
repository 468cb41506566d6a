package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence"
	"marvin/tools"
)

type LogCommand struct {
	Follow bool `long:"follow" short:"f" description:"follow new entries"`
	Lines  int  `long:"lines" short:"n" value-name:"N" default:"50" description:"print this many recent entries"`
}

// Run prints the most recent log entries and, with --follow, each new entry.
func (c LogCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	log := persistence.NewLog(cli.OpenHome(world))
	asJSON := opts.Output == "json" || opts.Output == "jsonl"
	text, err := log.Tail(persistence.MaxLog)
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(text) == 0 && !c.Follow {
		fmt.Fprintf(world.Stderr, "There are no entries yet; problems will be logged in %s.\n", log.Path())
	}
	for _, line := range lines[max(0, len(lines)-1-max(c.Lines, 0)):] {
		printEntry(world.Stdout, line, asJSON)
	}
	if !c.Follow {
		return nil
	}
	return follow(ctx, log, bytes.TrimSpace(lastOf(lines)), func(line []byte) { printEntry(world.Stdout, line, asJSON) })
}

func lastOf(lines [][]byte) []byte {
	if len(lines) < 2 {
		return nil
	}
	return lines[len(lines)-2] // the text ends with a line break
}

// follow polls the log, and reports each line after lastLine until ctx is done.
func follow(ctx context.Context, log *persistence.Log, lastLine []byte, report func(line []byte)) error {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		text, err := log.Tail(persistence.MaxLog / 4)
		if err != nil {
			return err
		}
		lines := bytes.SplitAfter(text, []byte("\n"))
		behind := 0
		for i, line := range slices.Backward(lines) {
			if len(lastLine) > 0 && bytes.Equal(bytes.TrimSpace(line), lastLine) {
				behind = i + 1
				break
			}
		}
		for _, line := range lines[behind:] {
			if len(bytes.TrimSpace(line)) > 0 {
				lastLine = bytes.Clone(bytes.TrimSpace(line))
				report(line)
			}
		}
	}
}

func printEntry(to io.Writer, line []byte, asJSON bool) {
	text, err := formatEntry(line)
	switch {
	case err != nil: // a partial line
	case asJSON:
		_, _ = to.Write(line)
	default:
		_, _ = io.WriteString(to, tools.Visible(text))
	}
}

// formatEntry formats a log entry for display. The stack of a panic follows on separate lines.
func formatEntry(line []byte) (string, error) {
	var entry map[string]any
	if err := json.Unmarshal(line, &entry); err != nil {
		return "", errors.New("not an entry of the log")
	}
	take := func(name string) string {
		value, ok := entry[name]
		delete(entry, name)
		if !ok {
			return ""
		}
		return fmt.Sprint(value)
	}
	at, level, message, stack := take("time"), take("level"), take("msg"), take("stack")
	if moment, err := time.Parse(time.RFC3339Nano, at); err == nil {
		at = moment.Local().Format("2006-01-02 15:04:05")
	}
	text := fmt.Sprintf("%s  %-5s  %s", at, level, message)
	for _, name := range slices.Sorted(maps.Keys(entry)) {
		text += fmt.Sprintf("  %s=%v", name, entry[name])
	}
	text = strings.ReplaceAll(text, "\n", "\n    ") + "\n"
	for frame := range strings.Lines(stack) {
		text += "    " + strings.TrimRight(frame, "\n") + "\n"
	}
	return text, nil
}
