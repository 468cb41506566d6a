package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
)

// planned makes a schedule, and returns its id.
func planned(t *testing.T, like *exec.Cmd, args ...string) string {
	t.Helper()
	out, wrong, err := inShell(t, like, append([]string{"schedule", "add", "--yes", "--output", "json"}, args...)...)
	var made struct{ ID string }
	if err != nil || json.Unmarshal([]byte(out), &made) != nil || made.ID == "" {
		t.Fatalf("%v: %s %s", err, out, wrong)
	}
	return made.ID
}

// withoutCron prevents a Marvin from changing the crontab of the user that runs the test.
func withoutCron(t *testing.T, command *exec.Cmd) {
	t.Helper()
	dir := t.TempDir()
	if err := disktest.WriteProgram(filepath.Join(dir, "crontab"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, one := range command.Env {
		if path, is := strings.CutPrefix(one, "PATH="); is {
			command.Env[i] = "PATH=" + dir + ":" + path
		}
	}
}

// noting is an MCP server with a tool that writes its calls to a file.
const noting = `while read -r line; do
	id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case "$line" in
	*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}' ;;
	*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"send","description":"Send a word","inputSchema":{"type":"object"}}]}}' ;;
	*'"tools/call"'*) echo sent >> "$NOTED"; echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"sent"}]}}' ;;
	*'"id"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}' ;;
	esac
done
`

// Each run has the rights that the user saw when the schedule was made, whatever config.yaml says
// later. A run without rights only reads.
func TestARunMayDoWhatWasShownWhenItWasMade(t *testing.T) {
	t.Parallel()
	if sandboxHere() != "MARVIN_SANDBOX=" {
		t.Skip("there is no sandbox here")
	}
	calls := []modeltest.Call{
		{Name: "create_file", Args: map[string]any{"path": "file", "content": "x"}},
		{Name: "write_note", Args: map[string]any{"title": "note", "content": "x"}},
		{Name: "mcp_noter_send", Args: map[string]any{}}, // before the command, whose output would forbid it
		{Name: "run_command", Args: map[string]any{"command": "echo x > command"}},
		{Name: "schedule_prompt", Args: map[string]any{"when": "every day at 8:00", "prompt": "do all"}},
	}
	for rights, want := range map[string]string{
		"": "", "--write": "file note", "--run": "file command note", "--send": "mcp", "--write --send": "file note mcp", "--run --send": "file command note mcp",
	} {
		t.Run(rights, func(t *testing.T) {
			t.Parallel()
			command := process(t, func(request modeltest.Request) modeltest.Step {
				done := 0
				for _, message := range request.Messages {
					if message.Role == messages.Tool {
						done++
					}
				}
				if done < len(calls) {
					return modeltest.Calls(calls[done])
				}
				return modeltest.Text("done")
			})
			withoutCron(t, command)
			home := strings.TrimPrefix(command.Env[0], "HOME=")
			command.Dir = outsideTmp(t)
			noted, script, config := filepath.Join(home, "noted"), filepath.Join(outsideTmp(t), "noting.sh"), filepath.Join(home, ".config", "marvin", "config.yaml")
			write := func(text string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(config, []byte("mcp:\n  noter: {command: [sh, "+script+"], env: {NOTED: "+noted+"}, sandbox: \"off\"}\n"+text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(script, []byte(noting), 0o600); err != nil {
				t.Fatal(err)
			}
			write("")
			if _, wrong, err := inShell(t, command, "mcp", "test", "noter"); err != nil {
				t.Fatalf("%v: %s", err, wrong)
			}
			id := planned(t, command, append(strings.Fields(rights), "--provider", "openai-compat", "every day at 9:00", "do all")...)
			write("approve: all\n")
			out, wrong, err := inShell(t, command, "schedule", "run", id)
			var did []string
			for name, path := range map[string]string{"file": filepath.Join(command.Dir, "file"), "command": filepath.Join(command.Dir, "command"), "note": filepath.Join(home, "Notes"), "mcp": noted} {
				if entry, err := os.Stat(path); err == nil && entry.Name() != "" {
					did = append(did, name)
				}
			}
			if rights == "" {
				_, _, _ = inShell(t, command, "watch", "add", "mcp_noter_send", "--every", "1h")
				if _, wrong, err := inShell(t, command, "watch", "check"); err == nil || !strings.Contains(wrong, "read-only") {
					t.Errorf("a watch called a tool that sends: %v %s", err, wrong)
				}
			}
			list, _, _ := inShell(t, command, "schedule", "list", "--output", "json")
			if strings.Count(list, `"id"`) != 1 {
				did = append(did, "schedule")
			}
			got := ""
			for _, name := range strings.Fields("file command note mcp schedule") {
				if strings.Contains(" "+strings.Join(did, " ")+" ", " "+name+" ") {
					got = strings.TrimSpace(got + " " + name)
				}
			}
			if got != want || err != nil || strings.TrimSpace(out) != "done" {
				t.Errorf("%s: did %q, want %q; %v %s %s", rights, got, want, err, out, wrong)
			}
		})
	}
}

func TestRightsAreShownBeforeAScheduleIsMade(t *testing.T) {
	t.Parallel()
	command := process(t, doing)
	withoutCron(t, command)
	_, wrong, err := inShell(t, command, "schedule", "add", "--run", "--send", "every day at 9:00", "do all")
	for _, want := range []string{"write files in " + command.Dir, "run commands in the sandbox", "send messages and data over the network", "$0.50", "--yes"} {
		if !strings.Contains(wrong, want) {
			t.Errorf("%v, and %q is not in %s", err, want, wrong)
		}
	}
	if list, _, _ := inShell(t, command, "schedule", "list", "--output", "json"); err == nil || strings.TrimSpace(list) != "[]" {
		t.Errorf("%v: %s", err, list)
	}
	if out, wrong, err := inShell(t, command, "schedule", "add", "every day at 9:00", "look"); err != nil || !strings.Contains(out, "A run can only read.") {
		t.Errorf("%v %s %s", err, out, wrong)
	}
}

// underCron runs a script with separate cron files and processes; its mounts and processes end with
// it. Cron is killed and started again before and after the run, and other Marvins check the
// schedules at the same time.
const underCron = `set -e
mount -t tmpfs none /run
mount -t tmpfs none /var/spool/cron
mount -t tmpfs none /etc/cron.d
mount --bind /dev/null /etc/crontab
mkdir -p /var/spool/cron/crontabs
chgrp crontab /var/spool/cron/crontabs 2>/dev/null || true
chmod 1730 /var/spool/cron/crontabs
if crontab -l 2>/dev/null; then echo 'skip: crontab -l shows a table outside of this test'; exit 0; fi
if grep -q deny /proc/self/setgroups; then echo 'skip: cron may not change its groups here'; exit 0; fi
echo '* * * * * root touch /run/control' > /etc/cron.d/control
cron -f & one=$!
"$PROGRAM" schedule add --provider offline --to "file:$RESULT" 'in 1 minute' 'convert 12 km to miles'
kill -9 $one; wait $one || true
cron -f & two=$!
until [ -s "$RESULT" ]; do
	if [ $(date +%s) -ge $END ]; then
		[ -e /run/control ] || { echo 'skip: cron starts nothing here'; exit 0; }
		echo 'cron did not start the schedule'; exit 1
	fi
	sleep 1
done
kill -9 $two; wait $two || true
cron -f &
"$PROGRAM" schedule fire --due & a=$!
"$PROGRAM" schedule fire --due & b=$!
"$PROGRAM" schedule fire --due
wait $a $b
"$PROGRAM" schedule history --output json
`

// cronPath finds programs that only administrators have on their PATH, too.
func cronPath() string { return os.Getenv("PATH") + ":/usr/sbin:/sbin" }

// The real cron starts a run when it is due, and it runs once. It takes up to two minutes.
func TestTheRealCronStartsARunOnce(t *testing.T) {
	t.Parallel()
	unshared := []string{"-m", "-p", "--fork", "--kill-child", "--mount-proc"}
	if os.Getuid() != 0 {
		unshared = append(unshared, "-r")
	}
	try := exec.Command("unshare", append(unshared, "sh", "-c", "command -v cron && command -v crontab && mount -t tmpfs none /var/spool/cron")...)
	try.Env = []string{"PATH=" + cronPath()}
	if out, err := try.CombinedOutput(); err != nil {
		t.Skipf("cron or mounts are missing here: %v %s", err, out)
	}
	home, program := outsideTmp(t), filepath.Join(outsideTmp(t), "marvin")
	content, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = disktest.WriteProgram(program, content, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(home, "result")
	command := exec.CommandContext(t.Context(), "unshare", append(unshared, "sh", "-c", underCron)...)
	command.Dir = home
	command.Env = []string{"HOME=" + home, "PATH=" + cronPath(), "PROGRAM=" + program, "RESULT=" + result, fmt.Sprint("END=", time.Now().Add(5*time.Minute).Unix())}
	var out, wrong strings.Builder
	command.Stdout, command.Stderr = &out, &wrong
	failed := command.Run()
	if _, why, skip := strings.Cut(out.String(), "skip: "); skip {
		t.Skip(why)
	}
	said, _ := os.ReadFile(result)
	var runs []struct{ State string }
	at := strings.LastIndex(out.String(), "[{")
	if failed != nil || at < 0 || json.Unmarshal([]byte(out.String()[at:]), &runs) != nil || len(runs) != 1 || runs[0].State != "done" || strings.Count(string(said), "7.456") != 1 {
		t.Errorf("%v: %s %s: %s", failed, out.String(), wrong.String(), said)
	}
}
