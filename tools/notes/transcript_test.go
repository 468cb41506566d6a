package notes

import (
	"errors"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// Notes of a person and of a project, each tool with each of its answers.
func TestNoteTools(t *testing.T) {
	env := toolstest.Env(t)
	root := t.TempDir()
	env.Home = root
	local := toolstest.Local(t, root, Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "chat":
			env.Coding, env.Room = false, 100_000
			return "", nil
		case "coding":
			env.Coding, env.Dir = true, args
			if args == "here" {
				env.Dir, env.Room = root+"/project", 100_000
				return "", os.MkdirAll(env.Dir, 0o755)
			}
			return "", nil
		case "link":
			from, to, _ := strings.Cut(args, " ")
			return "", os.Symlink(to, root+"/"+from)
		case "many":
			for i := range listLimit + 2 {
				name := root + "/Notes/many/" + strings.Repeat("n", i/26+1) + string(rune('a'+i%26))
				if err := errors.Join(os.MkdirAll(root+"/Notes/many", 0o755), os.WriteFile(name, nil, 0o600)); err != nil {
					return "", err
				}
			}
			return "", nil
		case "binary", "latin": // binary content, and content in an old encoding
			content := map[string]string{"binary": "a\x00b", "latin": "caf\xe9\n"}[tool]
			return "", os.WriteFile(root+"/Notes/"+args, []byte(content), 0o600)
		case "room":
			env.Room = len(args)
			return "", nil
		}
		text, err := local(tool, args)
		if lines := strings.Split(text, "\n"); len(lines) > 60 {
			text = strings.Join(append(lines[:4], lines[len(lines)-4:]...), "\n")
		}
		return text, err
	})
}
