package stack

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestStackExchangeTools records the requests to Stack Exchange and the results of its replies.
func TestStackExchangeTools(t *testing.T) {
	played := toolstest.FakeServer(t, host)
	list := New(played.Client).Tools()
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		return toolstest.Call(t, list, env, tool, args)
	}))
}
