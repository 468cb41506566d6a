package tickets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestTicketTools(t *testing.T) {
	env := toolstest.Env(t)
	root := t.TempDir()
	env.Dir = root + "/one"
	local := toolstest.Local(t, root, New().Tools(), &env)
	made := regexp.MustCompile(`(?m)^Created (.*)-([a-z2-7]{4})$`)
	var ids []string
	name := func(i int) string { return fmt.Sprintf("NEW%02d", i+1) }
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		for i, id := range ids {
			args = strings.ReplaceAll(args, name(i), id)
		}
		args = strings.ReplaceAll(args, "ROOT", root)
		switch tool {
		case "in":
			env.Dir = args
			if args != "" {
				env.Dir = filepath.Join(root, args)
				return "", os.MkdirAll(env.Dir, 0o755)
			}
			return "", nil
		case "environ":
			env.Environ = strings.Fields(args)
			return "", nil
		case "link":
			from, to, _ := strings.Cut(args, " ")
			return "", errors.Join(os.MkdirAll(filepath.Join(root, filepath.Dir(from)), 0o755), os.Symlink(filepath.Join(root, to), filepath.Join(root, from)))
		case "put":
			args = strings.ReplaceAll(args, `\r`, "\r")
		case "long":
			args = strings.ReplaceAll(args, "LONG", strings.Repeat("é", 300))
			tool, args, _ = strings.Cut(args, " ")
		}
		text, err := local(tool, args)
		if found := made.FindStringSubmatch(text); found != nil {
			ids = append(ids, found[2])
		}
		for i, id := range ids {
			text = strings.ReplaceAll(text, "-"+id, "-"+name(i))
		}
		return text, err
	})
}
