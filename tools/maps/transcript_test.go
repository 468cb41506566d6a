package maps

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestMapTools records the requests to OpenStreetMap and the results of its replies.
func TestMapTools(t *testing.T) {
	played := toolstest.FakeServer(t, nominatim, overpass)
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
