package music

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// What MusicBrainz is asked, and what each of its answers comes to.
func TestMusicTools(t *testing.T) {
	played := toolstest.FakeServer(t, host)
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Calling(func(tool, args string) (string, error) {
		return toolstest.Call(t, New(played.Client).Tools(), env, tool, args)
	}))
}
