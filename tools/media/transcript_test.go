package media

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestMediaTools records the requests about films and games, with a key and without, and the
// results of the replies.
func TestMediaTools(t *testing.T) {
	played := toolstest.FakeServer(t, "www.omdbapi.com", "api.rawg.io", "html.duckduckgo.com", "lite.duckduckgo.com")
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		if tool == "key" {
			env.Environ = append(env.Environ, args)
			return "", nil
		}
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
