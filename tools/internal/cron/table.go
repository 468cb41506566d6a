package cron

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/text"
)

// Line is a crontab line with a marker, which is a comment at the end of the line:
//
//	30 14 20 11 * /usr/bin/marvin ring tea # tea
type Line struct {
	Schedule string // five fields
	Command  string // as passed to the shell
	Marker   string
}

// At returns the schedule for a single moment. A schedule has no year and no seconds, so the
// scheduled command must check the full date and time.
func At(moment time.Time) string {
	return fmt.Sprintf("%d %d %d %d *", moment.Minute(), moment.Hour(), moment.Day(), int(moment.Month()))
}

// Table is the crontab of Marvin's user.
type Table struct {
	Environ []string                                // Marvin's environment
	Lock    func() (unlock func() error, err error) // locks the crontab until unlock is called
	System  string                                  // the system's zone file; "" means /etc/localtime
}

// tableLimit is the maximum size of a crontab, in bytes. Typical crontabs are far smaller.
const tableLimit = 4 << 20

// Lines returns the lines that have a marker.
func (t Table) Lines(ctx context.Context) ([]Line, error) {
	content, err := t.read(ctx)
	if err != nil {
		return nil, err
	}
	var lines []Line
	for raw := range bytes.Lines(content) {
		if line, ok := parse(string(raw)); ok {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// Change removes the lines for which owned returns true, and appends newLines. It returns the
// removed lines. If there is nothing to change, it does not write the crontab.
func (t Table) Change(ctx context.Context, owned func(Line) bool, newLines ...Line) (removed []Line, err error) {
	unlock, err := t.Lock()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	content, err := t.read(ctx)
	if err != nil {
		return nil, err
	}
	var changed bytes.Buffer
	for raw := range bytes.Lines(content) {
		if line, ok := parse(string(raw)); ok && owned(line) {
			removed = append(removed, line)
			continue
		}
		changed.Write(raw)
	}
	if len(removed) == 0 && len(newLines) == 0 {
		return nil, nil
	}
	if changed.Len() > 0 && !bytes.HasSuffix(changed.Bytes(), []byte("\n")) {
		changed.WriteByte('\n')
	}
	for _, line := range newLines {
		text, err := line.text()
		if err != nil {
			return nil, err
		}
		changed.WriteString(text)
	}
	return removed, t.write(ctx, changed.String())
}

// text returns l in crontab format. It escapes each "%", because cron reads "%" as a line break.
func (l Line) text() (string, error) {
	text := fmt.Sprintf("%s %s # %s\n", l.Schedule, strings.ReplaceAll(l.Command, "%", `\%`), l.Marker)
	if strings.ContainsAny(strings.TrimSuffix(text, "\n"), "\n\r\x00") || strings.ContainsAny(l.Marker, "#%") {
		return "", fmt.Errorf("%q is not allowed in a crontab", l.Command)
	}
	return text, nil
}

func parse(raw string) (Line, bool) {
	text := strings.TrimSpace(raw)
	body, marker, ok := cutLast(text, " # ")
	if !ok || text[0] == '#' {
		return Line{}, false
	}
	fields := strings.FieldsFunc(body, func(r rune) bool { return r == ' ' || r == '\t' }) // cron knows no other separators
	if len(fields) < 6 || slices.ContainsFunc(fields[:5], func(field string) bool { return strings.ContainsAny(field, "=\"'") }) {
		return Line{}, false
	}
	rest := body
	for range 5 {
		rest = strings.TrimLeft(rest, " \t")
		rest = rest[strings.IndexAny(rest, " \t"):]
	}
	return Line{
		Schedule: strings.Join(fields[:5], " "),
		Command:  strings.ReplaceAll(strings.Trim(rest, " \t"), `\%`, "%"),
		Marker:   strings.TrimSpace(marker),
	}, true
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

// read returns the content of the crontab, or nil if crontab(1) reports that there is none. Any
// other failure is an error.
func (t Table) read(ctx context.Context) ([]byte, error) {
	result, err := t.run(ctx, "", "-l")
	if err != nil {
		return nil, err
	}
	said := strings.TrimSpace(result.Stderr.Text())
	switch {
	case result.Stdout.Dropped() > 0 || result.Stdout.Binary():
		return nil, tools.Advise(errors.New("the crontab is too large or not text, so Marvin does not change it"), "Ask the user to look at it with crontab -e.")
	case result.ExitCode == 0:
		return result.Stdout.Bytes, nil
	case isNone(said) && result.Stdout.Total == 0:
		return nil, nil
	}
	return nil, tools.Advise(fmt.Errorf("crontab -l failed with exit code %d: %s; nothing was changed", result.ExitCode, cmp.Or(clip(said), "it gave no reason")),
		"Ask the user to run \"crontab -l\" and fix the error that it reports.")
}

// isNone recognizes the message of crontab(1) for a user without a crontab: "no crontab for root"
// (Vixie, cronie, macOS) or "can't open 'root': No such file or directory" (busybox).
func isNone(said string) bool {
	lower := strings.ToLower(said)
	if strings.Contains(said, "\n") {
		return false
	}
	return strings.Contains(lower, "no crontab for ") || strings.Contains(lower, "can't open '") && strings.HasSuffix(lower, "no such file or directory")
}

func (t Table) write(ctx context.Context, content string) error {
	result, err := t.run(ctx, content, "-")
	if err != nil {
		return err
	}
	if result.ExitCode != 0 {
		return fmt.Errorf("crontab refused the change with exit code %d: %s; the old crontab is still there", result.ExitCode, clip(strings.TrimSpace(result.Stderr.Text())))
	}
	return nil
}

func (t Table) run(ctx context.Context, input string, argument string) (proc.Result, error) {
	return proc.Run(ctx, proc.Command{
		Name: "crontab", Args: []string{argument}, Dir: "/", Environ: t.Environ, Env: []string{"LC_ALL=C"},
		Stdin: input, Limit: tableLimit,
	})
}

func clip(said string) string { return text.Clip(text.OneLine(said), 300) }

// Quote quotes a word for a shell.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:,@+", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
