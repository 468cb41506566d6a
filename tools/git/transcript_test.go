package git

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestGitTools follows a repository from its first commit to a conflict, and records what each git
// tool shows and refuses.
func TestGitTools(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	p := newPlace(t)
	root := p.dir
	p.env.Room, p.env.Now = 100_000, func() time.Time { return time.Date(2026, 2, 13, 12, 0, 0, 0, time.UTC) }
	dates := []string{"GIT_AUTHOR_DATE=2026-02-12T10:00:00Z", "GIT_COMMITTER_DATE=2026-02-12T10:00:00Z"}
	p.env.Environ = append(p.env.Environ, append(dates, "MARVIN_PASS_ENV=GIT_AUTHOR_DATE,GIT_COMMITTER_DATE", "LC_ALL=C")...)
	local := toolstest.Local(t, root, p.git.Tools(), &p.env)
	known := map[string]string{}
	hash := regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	own := regexp.MustCompile(`^(git \w+): [^\n]*`) // the text differs between versions of git
	day := regexp.MustCompile(`20\d\d-\d\d-\d\d( \d\d:\d\d(:\d\d)?( [+-]\d{4})?)?`)
	mask := func(text string) string {
		text = day.ReplaceAllString(text, "DAY")
		return hash.ReplaceAllStringFunc(text, func(found string) string {
			if known[found[:7]] == "" {
				known[found[:7]] = fmt.Sprintf("COMMIT%d", len(known)+1)
			}
			return known[found[:7]]
		})
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		for commit, name := range known {
			args = strings.ReplaceAll(args, name+"!", commit)
		}
		switch tool {
		case "git":
			command := exec.Command("git", strings.Fields(args)...)
			command.Dir, command.Env = root, p.env.Environ
			said, err := command.CombinedOutput()
			if err != nil {
				said = nil // the text is git's, and the exit code is enough
			}
			return mask(strings.TrimSpace(string(said))), err
		case "outside":
			p.env.Dir = ""
			return "", nil
		}
		text, err := local(tool, args)
		if err != nil {
			err = errors.New(own.ReplaceAllString(mask(err.Error()), "$1: …"))
		}
		if at := strings.Index(text, "HEAD is now at"); at > 0 {
			text = "…\n" + text[at:]
		}
		return mask(text), err
	})
}
