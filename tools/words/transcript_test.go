package words

import (
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestDictionaryTools defines words and translates texts, with refusals of both services. In a
// call, LONG is a text of several pieces and HUGE is one that is too long.
func TestDictionaryTools(t *testing.T) {
	played := toolstest.FakeServer(t, "api.dictionaryapi.dev", "api.mymemory.translated.net")
	env := toolstest.Env(t)
	long := strings.Repeat("One sentence. ", 40) + "\\n" + strings.Repeat("x", 520) + strings.Repeat(" word", 120)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		told := ""
		env.Progress = func(line string) { told += line + "\n" }
		args = strings.NewReplacer("LONG", long, "HUGE", strings.Repeat("é", maxText+1), "MOST", strings.Repeat("é", 251)).Replace(args)
		text, err := toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
		return told + text, err
	}))
}
