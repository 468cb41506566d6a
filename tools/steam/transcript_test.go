package steam

import (
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestSteamTools(t *testing.T) {
	played := toolstest.FakeServer(t, "store.steampowered.com", "api.steampowered.com")
	played.Shown = []string{"X-Webapi-Key"}
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		if tool == "environ" {
			env.Environ = strings.Fields(args)
			return "", nil
		}
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
