package ntfy

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

func TestNtfyTools(t *testing.T) {
	played := toolstest.FakeServer(t, "ntfy.sh")
	played.Shown = []string{"Title", "Priority"}
	root, now := t.TempDir(), noon
	home := persistence.Open(root, func() time.Time { return now })
	service := New(played.Client, home, "extra", "no topic")
	env := toolstest.Env(t)
	env.Profile = home.Profile("anna").Dir
	document := filepath.Join(env.Profile, "ntfy_subscriptions.json")
	local := toolstest.Local(t, root, service.Tools(), &env)
	made := regexp.MustCompile(`Topic: (\S+)`)
	fresh := ""
	call := played.Command(func(tool, args string) (text string, err error) {
		if fresh != "" {
			args = strings.ReplaceAll(args, "NEW", fresh)
		}
		switch tool {
		case "clock":
			passed, err := time.ParseDuration(args)
			now = now.Add(passed)
			return "", err
		case "fetch":
			came, failed := service.Fetch(t.Context(), "anna", args)
			for _, one := range came {
				text += one.ID + " " + one.Text + "\n"
			}
			err = errors.Join(failed, service.RecordShown("anna", came))
		case "keep":
			err = errors.Join(os.RemoveAll(document), os.MkdirAll(env.Profile, 0o700))
			if args == "DIRECTORY" {
				err = errors.Join(err, os.MkdirAll(filepath.Join(document, "in-it"), 0o700))
			} else if args != "" {
				err = errors.Join(err, os.WriteFile(document, []byte(args), 0o600))
			}
		case "kept":
			kept, failed := os.ReadFile(document)
			text, err = string(kept), failed
		default:
			text, err = local(tool, args)
		}
		if found := made.FindStringSubmatch(text); found != nil {
			fresh = found[1]
		}
		return text, err
	})
	words := regexp.MustCompile(`[a-z]{6}(-[a-z]{6}){4}`)
	tell := func(text string) string { return words.ReplaceAllString(strings.ReplaceAll(text, root, "ROOT"), "NEW") }
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		text, err := call(tool, args)
		if err != nil {
			err = errors.New(tell(err.Error()))
		}
		return tell(text), err
	})
}
