package stack

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// What Stack Exchange is asked, and what each of its answers comes to.
func TestStackExchangeTools(t *testing.T) {
	played := toolstest.FakeServer(t, host)
	list := New(played.Client).Tools()
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Calling(func(tool, args string) (string, error) {
		return toolstest.Call(t, list, env, tool, args)
	}))
}
