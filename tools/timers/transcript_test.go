package timers

import (
	"errors"
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
	"marvin/tools/alarms"
	"marvin/tools/internal/toolstest"
)

// TestTimerTools runs timers and stopwatches while time passes, some of them started by another
// Marvin, in an intact or a damaged home directory, and records the inverse of each call. In the
// script, "clock" lets time pass, "other" is a call in another Marvin, "spoil" replaces the alarms'
// directory by a file, and "mend" removes the file.
func TestTimerTools(t *testing.T) {
	root := t.TempDir()
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local)
	clock := func() time.Time { return now }
	home := persistence.Open(root, clock)
	marvin := func() []tools.Tool {
		rings := alarms.New(home, nil, "")
		return slices.Concat(New(clock, rings).Tools(), rings.Tools())
	}
	mine, others := marvin(), marvin()
	env := toolstest.Env(t, environ...)
	env.Profile = home.Profile("default").Dir
	zone := regexp.MustCompile(`(T\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)`) // zone of the machine
	kept := filepath.Join(root, ".config", "marvin", "alarms")
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (string, error) {
		list := mine
		if name == "other" {
			list = others
			name, args, _ = strings.Cut(args, " ")
		}
		switch name {
		case "clock":
			passed, err := time.ParseDuration(args)
			now = now.Add(passed)
			return "", err
		case "spoil":
			return "", errors.Join(os.RemoveAll(kept), os.WriteFile(kept, nil, 0o600))
		case "mend":
			return "", os.RemoveAll(kept)
		}
		i := slices.IndexFunc(list, func(tool tools.Tool) bool { return tool.Name == name })
		call, err := list[i].Decode([]byte(args))
		if err != nil {
			return "", err
		}
		output, err := call.Run(t.Context(), env)
		if undo := output.Undo; undo != nil {
			output.Text += zone.ReplaceAllString("\nback: "+undo.Lasts+undo.Tool+" "+string(undo.Args), "$1")
		}
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), root, "ROOT"))
		}
		return strings.ReplaceAll(output.Text, root, "ROOT"), err
	})
}
