package weather

import (
	"context"
	"errors"
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// TestWeatherTools records each kind of weather, the requests, and the results of the replies.
func TestWeatherTools(t *testing.T) {
	played := toolstest.FakeServer(t, nominatim, openMeteo)
	w := newWorld(t)
	here := func(context.Context, tools.Env) (lat, lng float64, name string, err error) {
		return 1, 2, "Home Town", w.hereErr
	}
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		if tool == "lost" {
			w.hereErr = errors.New("nobody knows where this is")
			return "", nil
		}
		return toolstest.Call(t, New(played.Client, w.home, here).Tools(), env, tool, args)
	}))
}
