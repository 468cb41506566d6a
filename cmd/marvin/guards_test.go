package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// Every tool declares its effect. A new tool that changes something must be added to this list.
func TestEveryToolDeclaresItsEffect(t *testing.T) {
	want := map[tools.Effect]string{
		tools.Writes: ` create_file append_file apply_patch file_apply_patch set_working_dir git_commit git_checkout create_ticket ticket_start ticket_close
			ticket_add_note ticket_add_dep tk write_note notes_mkdir move_note download_file yt_dlp_download save_place remove_place calendar_add_event calendar_change_event schedule_prompt cancel_schedule set_alarm
			cancel_alarm timer_start timer_stop ntfy_unsubscribe generate_ntfy_topic github_clone bookmark_save bookmark_change bookmark_remove switch_profile update_preferences
			compact_history remember forget blender_create_object blender_modify_object blender_set_material exit_app setup_google_auth code_rename code_actions `,
		tools.Irreversible: ` run_command code_check job_input install_packages blender_delete_object blender_execute_code calendar_delete_event remove_note launch_agent `,
		tools.Outside:      ` ntfy_publish ntfy_subscribe spotify_auth spotify_create_playlist spotify_add_tracks github_pr_comment github_pr_create `,
	}
	listed := map[string]tools.Effect{}
	for effect, names := range want {
		for _, name := range strings.Fields(names) {
			listed[name] = effect
		}
	}
	for _, tool := range registry(t).All() {
		effect, ok := listed[tool.Name]
		delete(listed, tool.Name)
		switch {
		case ok && tool.Effect != effect:
			t.Errorf("%s %s, and is listed as %s", tool.Name, tool.Effect, effect)
		case !ok && tool.Effect != tools.Reads && tool.Name != "jobs" && tool.Name != "review_codebase":
			t.Errorf("%s %s, and is not listed", tool.Name, tool.Effect)
		case tool.Writes && tool.Effect == tools.Reads, tool.Confirms && tool.Effect == tools.Reads:
			t.Errorf("%s says that it reads", tool.Name)
		}
	}
	for name := range listed {
		t.Errorf("%s is listed and does not exist", name)
	}
}

// told runs Marvin with a model that makes one call, and returns the tool result.
func told(t *testing.T, config string, line string, args ...string) (result string, command *exec.Cmd) {
	t.Helper()
	command = process(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			result = last.Result.Text
			return modeltest.Text("done")
		}
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": line}})
	}, append([]string{"-p", "go"}, args...)...)
	command.Env = slices.DeleteFunc(command.Env, func(entry string) bool { return strings.HasPrefix(entry, "MARVIN_SANDBOX=") })
	if config != "" {
		home, _ := strings.CutPrefix(command.Env[0], "HOME=")
		state := filepath.Join(home, ".config", "marvin")
		if err := os.MkdirAll(state, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	if !strings.Contains(result, "not complete on this system") {
		return result + stderr.String(), command
	}
	if _, skip := os.LookupEnv("MARVIN_JAIL_MUST"); !skip {
		t.Skip("this system has no complete sandbox: " + result)
	}
	return result, command
}

// Without a user, commands run in the sandbox unless the user chose otherwise. If there is no
// sandbox, they do not run.
func TestUnreviewedCommandsRunSandboxed(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	line := "touch inside; touch " + outside + "; grep NoNewPrivs /proc/self/status"
	said, command := told(t, "", line)
	if _, err := os.Stat(filepath.Join(command.Dir, "inside")); err != nil || !strings.Contains(said, "NoNewPrivs:\t1") {
		t.Errorf("work inside: %v, %s", err, said)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("it wrote outside")
	}
	if said, _ := told(t, "", line, "--sandbox", "off"); !strings.Contains(said, "NoNewPrivs:\t0") {
		t.Errorf("--sandbox off: %s", said)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("with --sandbox off: %v", err)
	}
	if said, _ := told(t, "sandbox: strict\n", "cut -d: -f1 /proc/net/dev; exit 3"); !strings.Contains(said, " lo\n") || strings.Contains(said, "eth") || !strings.Contains(said, "[sandbox:") {
		t.Errorf("sandbox: strict: %s", said)
	}
	if said, _ := told(t, "sandbox: strict\n", "grep NoNew /proc/self/status", "--sandbox", "off"); !strings.Contains(said, "NoNewPrivs:\t0") {
		t.Errorf("the option does not win: %s", said)
	}
}

// A model that changes the working directory, as a rule allows, cannot write to other places than
// before.
func TestAChangedDirectoryIsNoNewRoot(t *testing.T) {
	t.Parallel()
	other, round := t.TempDir(), 0
	var results []string
	command := process(t, func(request modeltest.Request) modeltest.Step {
		results = results[:0] // all of them are in each request
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				results = append(results, message.Result.Text)
			}
		}
		switch round++; round {
		case 1:
			return modeltest.Calls(modeltest.Call{Name: "set_working_dir", Args: map[string]string{"path": other}})
		case 2:
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "pwd; touch new"}})
		}
		return modeltest.Text("done")
	}, "-p", "go")
	state := filepath.Join(strings.TrimPrefix(command.Env[0], "HOME="), ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte("permissions:\n  allow: [set_working_dir]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := command.Output(); err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 || !strings.Contains(results[1], "[sandbox:") && !strings.Contains(results[1], "not complete") {
		t.Errorf("results: %q", results)
	}
	if _, err := os.Stat(filepath.Join(other, "new")); err == nil {
		t.Error("the model made another directory writable")
	}
}

// Without a user, a call that cannot be undone is refused, unless a rule spells it out.
func TestIrreversibleIsRefusedWithoutUser(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ config, line, want string }{
		{"", "echo before; rm -rf ~/Documents", "deletes files outside the working directory"},
		{"", "git push --force", "marvin permissions explain"},
		{"", "bash -c 'git reset --hard'", "discards uncommitted work"},
		{"permissions:\n  allow: [run_command]\n", "git reset --hard", "discards uncommitted work"},
		{"permissions:\n  allow: ['run_command(git reset --hard *)']\n", "git reset --hard", "not a git repository"},
		{"permissions:\n  deny: ['run_command(curl *)']\n", "echo $(curl -s x)", "your rule denies"},
		{"permissions:\n  ask: [run_command]\n", "ls", "your rule requires your approval for"},
	} {
		said, _ := told(t, test.config, test.line)
		if !strings.Contains(said, test.want) || strings.Contains(said, "before\n") {
			t.Errorf("%s with %q: %s", test.line, test.config, said)
		}
	}
}

// Unreadable rules end the start; they are not ignored.
func TestABrokenConfigurationWithRulesEndsTheStart(t *testing.T) {
	t.Parallel()
	for _, config := range []string{
		"permission:\n  deny: [run_command]\n", "hosts: [\n", strings.Repeat("# permissions\n", 80_000),
		"permissions:\n  deny: run_command\n", "permissions:\n  deny: ['run_command(']\n", "sandbox: yes please\n", "permissions:\n  deny: [run_command]\nthme: dark\n",
	} {
		said, command := told(t, config, "touch ran")
		if _, err := os.Stat(filepath.Join(command.Dir, "ran")); err == nil || command.ProcessState.ExitCode() != 1 || !strings.Contains(said, "config.yaml") {
			t.Errorf("%q: exit code %d, %s", config, command.ProcessState.ExitCode(), said)
		}
	}
	if said, command := told(t, "thme: dark\n", "echo ran"); command.ProcessState.ExitCode() != 0 || !strings.Contains(said, "ran\n") {
		t.Errorf("a configuration without rules: %s", said)
	}
}
