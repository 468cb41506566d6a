package wiki

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// TestWikiTools finds, summarizes, saves and searches articles, and records each refusal by
// Wikipedia or the directory. In the script, "home" without a name means no home directory.
func TestWikiTools(t *testing.T) {
	played := toolstest.FakeServer(t, wikipedia)
	saving := regexp.MustCompile(`\.saving-\w+`)
	env := toolstest.Env(t)
	root := t.TempDir()
	env.Home = root
	local := toolstest.Local(t, root, New(played.Client).Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		switch tool {
		case "home":
			if env.Home = ""; args != "" {
				env.Home = root + "/" + args
			}
			return "", nil
		case "link":
			from, to, _ := strings.Cut(args, " ")
			return "", os.Symlink(to, root+"/"+from)
		case "wide": // a title of the maximum length, longer than a file name may be
			tool, args, _ = strings.Cut(strings.ReplaceAll(args, "WIDE", strings.Repeat("é", 127)), " ")
		case "long":
			tool, args, _ = strings.Cut(strings.ReplaceAll(args, "LONG", strings.Repeat("é", 130)), " ")
		}
		text, err := local(tool, args)
		if err != nil {
			err = errors.New(saving.ReplaceAllString(err.Error(), ".saving-X"))
		}
		return text, err
	}))
}
