package putback_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/bookmarks"
	"marvin/tools/calendar"
	"marvin/tools/internal/toolstest"
	"marvin/tools/places"
	"marvin/tools/putback"
)

func TestPutBack(t *testing.T) {
	root := t.TempDir()
	home := persistence.Open(root, func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local) })
	env := toolstest.Env(t, "PATH=/nowhere")
	env.Profile, env.Home = home.Profile("anna").Dir, root
	dates := calendar.New(home, &http.Client{}, "")
	list := slices.Concat(places.New(home).Tools(), bookmarks.New(home).Tools(), dates.Tools(), []tools.Tool{putback.Tool(home, dates)})
	local := toolstest.Local(t, root, list, &env)
	var last, kept *tools.Inverse
	call := func(name, args string) (string, error) {
		i := slices.IndexFunc(list, func(tool tools.Tool) bool { return tool.Name == name })
		if i < 0 {
			return local(name, args)
		}
		decoded, err := list[i].Decode(json.RawMessage(args))
		if err != nil {
			return "", err
		}
		output, err := decoded.Run(t.Context(), env)
		if output.Undo != nil {
			last = output.Undo
		}
		return output.Text, err
	}
	uid := regexp.MustCompile(`uid:[0-9a-f]+`)
	tell := func(text string) string {
		return uid.ReplaceAllString(strings.ReplaceAll(text, root, "ROOT"), "uid:UID")
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (text string, err error) {
		switch name {
		case "back":
			text, err = call(last.Tool, string(last.Args))
		case "keep":
			kept = last
		case "again":
			text, err = call(kept.Tool, string(kept.Args))
		case "document":
			path := filepath.Join(home.Profile("anna").Dir, args)
			content, wrong := os.ReadFile(path)
			text, err = string(content), wrong
		case "spoil":
			path := filepath.Join(home.Profile("anna").Dir, args)
			err = errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Join(path, "in-it"), 0o700))
		default:
			text, err = call(name, args)
		}
		if err != nil {
			err = errors.New(tell(err.Error()))
		}
		return tell(text), err
	})
}
