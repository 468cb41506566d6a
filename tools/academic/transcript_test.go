package academic

import (
	"os"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestAcademicTools(t *testing.T) {
	played := toolstest.FakeServer(t, arxivHost, papersHost)
	played.Shown = []string{"X-Api-Key"}
	env := toolstest.Env(t)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		if tool == "key" {
			env.Environ = append(env.Environ, args)
			return "", nil
		}
		return toolstest.Call(t, service(played.Client), env, tool, args)
	}))
}
