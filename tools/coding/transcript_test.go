package coding

import (
	"os"
	"os/exec"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestProjectTools searches a project in every way, shows its overview, and changes the working
// directory.
func TestProjectTools(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("rg is not installed")
	}
	root := t.TempDir()
	env := toolstest.Env(t, "PATH="+os.Getenv("PATH"), "HOME="+root)
	env.Dir, env.Coding, env.Home = root, true, root
	local := toolstest.Local(t, root, Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "git":
			command := exec.Command("git", "init", "-q")
			command.Dir = root
			return "", command.Run()
		case "outside":
			env.Dir = ""
			return "", nil
		case "room":
			env.Room = len(args)
			return "", nil
		}
		return local(tool, args)
	})
}
