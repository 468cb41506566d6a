package files

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestFileTools(t *testing.T) {
	env := toolstest.Env(t)
	root := t.TempDir()
	env.Dir, env.Coding = root, true
	local := toolstest.Local(t, root, Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "room":
			env.Room = len(args)
			return "", nil
		case "outside":
			env.Dir = ""
			return "", nil
		case "forget":
			env.Seen = nil
			return "", nil
		}
		return local(tool, args)
	})
}
