package steam

import (
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestATalkAboutGames(t *testing.T) {
	played := toolstest.Play(t, "store.steampowered.com", "api.steampowered.com")
	played.Shown = []string{"X-Webapi-Key"}
	env := toolstest.Env(t)
	goldentest.Talk(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Calling(func(tool, args string) (string, error) {
		if tool == "environ" {
			env.Environ = strings.Fields(args)
			return "", nil
		}
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
