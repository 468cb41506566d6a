package history

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestHistoryTools shortens a log and finds the removed entries in its backups.
func TestHistoryTools(t *testing.T) {
	root := t.TempDir()
	env := toolstest.Env(t)
	now := time.Date(2026, 2, 14, 12, 30, 15, 0, time.UTC)
	home := persistence.Open(root, func() time.Time { return now })
	env.Profile, env.Dir = home.Profile("default").Dir, root+"/project"
	told := 0
	local := toolstest.Local(t, root, New(home).Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "told":
			env.Compact = func() { told++ }
			return "", nil
		case "say": // N WORDS: adds N entries with these words
			var n int
			if _, err := fmt.Sscan(args, &n); err != nil {
				return "", err
			}
			_, words, _ := strings.Cut(args, " ")
			var log strings.Builder
			for i := range n {
				fmt.Fprintf(&log, `,{"role":"user","text":%q,"time":"12:%02d"}`, fmt.Sprintf("%d %s", i, strings.Repeat(words+" ", 40)), i%60)
			}
			return local("put", ".config/marvin/profiles/default/chat_log.json ["+strings.TrimPrefix(log.String(), ",")+"]")
		}
		text, err := local(tool, args)
		if told > 0 {
			text, told = "the conversation is summarized\n"+text, 0
		}
		return text, err
	})
	for _, row := range []struct{ text, query, word, want string }{
		{"short text", "text", "text", "short text"},
		{"a\n b\t c", "b", "b", "a b c"},
		{strings.Repeat("x ", 200) + "Find ME" + strings.Repeat(" y", 200), "find me", "find", "…" + strings.Repeat("x ", 50) + "Find ME" + strings.Repeat(" y", 50) + "…"},
		{"find" + strings.Repeat(" y", 200), "find it", "find", "find" + strings.Repeat(" y", 50) + "…"},
		{strings.Repeat("x ", 200) + "find", "find", "find", "…" + strings.Repeat("x ", 50) + "find"},
		{strings.Repeat("ä", 301), "none", "none", strings.Repeat("ä", 104) + "…"},
	} {
		if got := snippet(row.text, row.query, row.word); got != row.want {
			t.Errorf("%.20q about %q: %q, want %q", row.text, row.query, got, row.want)
		}
	}
}
