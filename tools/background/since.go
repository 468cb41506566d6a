package background

import (
	"fmt"
	"regexp"
	"strings"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
)

// findChunk is the number of bytes that FindLine reads at a time.
const findChunk = 1 << 20

// OutputSince returns a job's output after the given offset, and the offset for the next call. It
// returns at most the given number of lines, from the end of the output.
func OutputSince(home *persistence.Home, job tools.Job, offset int64, lines int) (text string, next int64, err error) {
	if job.Log == "" {
		return "", 0, noLog(job)
	}
	size, err := joblist.New(home, job.Dir).OutputSize(job.ID)
	if err != nil {
		return "", 0, fmt.Errorf("read the output of %s: %w", job.ID, err)
	}
	offset = min(max(offset, 0), size)
	limit := min(size-offset, int64(lines)*400)
	content, err := joblist.New(home, job.Dir).OutputFrom(job.ID, size-limit, limit)
	if err != nil {
		return "", 0, fmt.Errorf("read the output of %s: %w", job.ID, err)
	}
	return LastLines(string(content), lines, size-limit > offset), size, nil
}

// FindLine searches a job's output after the given offset. It returns the first line that matches
// pattern, or "" if there is none. It also returns the offset for the next search.
func FindLine(home *persistence.Home, job tools.Job, pattern *regexp.Regexp, offset int64) (line string, next int64, err error) {
	for {
		content, err := joblist.New(home, job.Dir).OutputFrom(job.ID, offset, findChunk)
		if err != nil || len(content) == 0 {
			return "", offset, err
		}
		text := string(content)
		whole := strings.LastIndexByte(text, '\n') + 1
		for one := range strings.Lines(text) {
			// Match an unfinished line too: a program that prompts for input does not print a
			// newline after the prompt.
			if pattern.MatchString(strings.TrimRight(one, "\r\n")) {
				return strings.TrimRight(one, "\r\n"), offset, nil
			}
		}
		switch {
		case whole > 0:
			offset += int64(whole)
		case len(content) == findChunk: // no real line is that long
			offset += int64(len(content))
		}
		if len(content) < findChunk {
			return "", offset, nil
		}
	}
}

func noLog(job tools.Job) error {
	return tools.Advise(fmt.Errorf("the output of %s is not stored", job.ID), "Start such work with run_command and background: true instead of &.")
}
