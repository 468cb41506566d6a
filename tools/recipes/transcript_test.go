package recipes

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestRecipeTools(t *testing.T) {
	played := toolstest.FakeServer(t, "www.themealdb.com")
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
