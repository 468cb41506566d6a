package maps

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// What OpenStreetMap is asked, and what each of its answers comes to.
func TestATalkAboutTheMap(t *testing.T) {
	played := toolstest.Play(t, nominatim, overpass)
	env := toolstest.Env(t)
	goldentest.Talk(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Calling(func(tool, args string) (string, error) {
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
