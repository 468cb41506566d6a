package alarms

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// TestAlarmTools sets, lists and cancels alarms while time passes, and records the inverse of each
// call. In the script, "clock" lets time pass, "crontab" sets what that program does, "cron" sets
// why there is no cron, "reminder" sets a reminder of the calendar, "profile" switches the profile,
// and "keep" writes a document in the home directory.
func TestAlarmTools(t *testing.T) {
	d := newFixture(t, "")
	env := toolstest.Env(t, d.environ...)
	env.Profile = d.home.Profile("default").Dir
	local := toolstest.Local(t, d.dir, d.Tools(), &env)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (string, error) {
		switch name {
		case "clock":
			passed, err := time.ParseDuration(args)
			d.now = d.now.Add(passed)
			return "", err
		case "crontab":
			d.write("bin/crontab", "#!/bin/sh\n"+args+"\n")
			if args == "" {
				d.write("bin/crontab", crontab)
			}
			return "", nil
		case "keep":
			path, content, _ := strings.Cut(args, " ")
			d.write("it's home/.config/marvin/"+path, content)
			return "", nil
		case "cron":
			d.ringer.NoCron = func([]string) string { return args }
			return "", nil
		case "profile":
			env.Profile = d.home.Profile(args).Dir
			return "", nil
		case "environ":
			env.Environ = strings.Fields(args)
			if args == "" {
				env.Environ = d.environ
			}
			return "", nil
		case "ring", "silence":
			if name == "ring" {
				return d.RingAt(t.Context(), env, args, "from elsewhere", d.now.Add(90*time.Second))
			}
			alarm, err := d.CancelAlarm(t.Context(), env, args)
			return alarm.Message + told(d.SettingCall(alarm)), err
		}
		text, err := d.told(name, args, env)
		if text == "" && err == nil {
			if text, err = local(name, args); name == "files" {
				text = regexp.MustCompile(`(?m)^(bin/|spool ).*\n`).ReplaceAllString(text, "")
			}
		}
		if err != nil {
			err = errors.New(strings.ReplaceAll(err.Error(), d.dir, "ROOT"))
		}
		return strings.ReplaceAll(text, d.dir, "ROOT"), err
	})
}

// told returns a tool call as text, or "".
func (d *fixture) told(name, args string, env tools.Env) (string, error) {
	for _, tool := range d.Tools() {
		if tool.Name == name {
			call, err := tool.Decode([]byte(args))
			if err != nil {
				return "", err
			}
			output, err := call.Run(d.t.Context(), env)
			return output.Text + told(output.Undo), err
		}
	}
	return "", nil
}

func told(undo *tools.Inverse) string {
	if undo == nil {
		return ""
	}
	return "\nback: " + undo.Lasts + undo.Tool + " " + string(undo.Args)
}
