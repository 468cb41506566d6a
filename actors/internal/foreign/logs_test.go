package foreign

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// The test file has small logs with unusual contents, each after a line that begins with ##. The
// result of each is compared with the golden file.
func TestSmallLogsAreRead(t *testing.T) {
	content, err := os.ReadFile("testdata/logs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for one := range strings.SplitSeq(strings.TrimPrefix(string(content), "## "), "\n## ") {
		name, lines, _ := strings.Cut(one, "\n")
		fmt.Fprintf(&all, "## %s\n", name)
		log, err := Read(strings.NewReader(lines))
		if err != nil {
			fmt.Fprintf(&all, "! %v\n", err)
			continue
		}
		all.WriteString(told(log))
		for _, turn := range log.Turns {
			fmt.Fprintf(&all, "at %s, with %d pictures\n", turn.At.Format("2006-01-02 15:04:05"), len(turn.Messages[0].Pictures))
		}
	}
	goldentest.Assert(t, "logs.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

func TestForeignLogLineLengthLimit(t *testing.T) {
	line := func(length int) string {
		return `{"type":"session","id":"o","cwd":"/w","title":"` + strings.Repeat("x", length) + `"}`
	}
	if log, err := Read(strings.NewReader(line(1 << 20))); err != nil || len(log.Title) != 1<<20 {
		t.Errorf("a long line: %v", err)
	}
	if _, err := Read(strings.NewReader(line(longestLine))); err == nil {
		t.Error("a line that is too long is read")
	}
}
