package maps

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// What OpenStreetMap is asked, and what each of its answers comes to.
func TestMapTools(t *testing.T) {
	played := toolstest.FakeServer(t, nominatim, overpass)
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Calling(func(tool, args string) (string, error) {
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
