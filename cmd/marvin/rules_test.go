package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
)

// A rule that cannot match anything ends the start with its line and the rule that was probably
// meant. The doctor reports the same. Rules about tools that may appear later are accepted.
func TestARuleThatMeansNothingEndsTheStart(t *testing.T) {
	for rule, want := range map[string]string{
		"deny: [run_comand]":                      "Did you mean run_command?",
		"deny: [Bash]":                            "Did you mean run_command?",
		"deny: ['bash(touch *)']":                 "Did you mean run_command(touch *)?",
		"deny: ['Bash(git push:*)']":              "Did you mean run_command(git push *)?",
		"ask: ['run_comand(touch *)']":            "Did you mean run_command(touch *)?",
		"deny: ['run_command(touch:*)']":          "Did you mean run_command(touch *)?",
		"deny: ['run_command(git push:*)']":       "Did you mean run_command(git push *)?",
		"deny: ['Read(./secrets/**)']":            "Did you mean read_file(secrets/*)?",
		"allow: ['WebFetch(domain:go.dev)']":      "Did you mean browse_web(https://go.dev/*)?",
		"deny: [mcp__github__delete_repo]":        "Did you mean mcp_github_delete_repo?",
		"deny: [mcp__github]":                     "mcp_github_TOOL",
		"allow: ['ntfy_publish(topc=mine)']":      "Did you mean ntfy_publish(topic=mine)?",
		"allow: ['run_command(timeout=5)']":       "rules for this tool look only at the command",
		"deny: ['get_working_dir(x)']":            "takes no arguments",
		"deny: [write_file_nowhere_ever_such_as]": "names no tool",
	} {
		list, _, _ := strings.Cut(rule, ":")
		out, code := asking(t, "effort: high\npermissions:\n  "+rule+"\n", nil, "explain", "ls")
		if code != 1 || !strings.Contains(out, want) || !strings.Contains(out, "config.yaml:3: permissions: "+list) {
			t.Errorf("%s: exit code %d, no %q in\n%s", rule, code, want, out)
		}
	}
	for _, rule := range []string{
		"deny: [run_command]", "deny: ['*']", "deny: ['run_command(npm run test:*)']", "deny: ['run_command(git push origin HEAD:**)']", "allow: ['run_command(FOO=1 make)']", "allow: ['run_command(https://a.example/*)']",
		"deny: [mcp_later_tool]", "allow: ['mcp_later_tool(x=y)']", "allow: ['ntfy_publish(topic=mine)']", "allow: ['ntfy_publish(mine)']", "deny: ['read_file(secret.txt)']", "deny: ['launch_agent(*evil*)']", "allow: ['browse_web(https://a.example/*)']",
	} {
		if out, code := asking(t, "permissions:\n  "+rule+"\n", nil, "explain", "ls"); code != 0 {
			t.Errorf("%s: exit code %d: %s", rule, code, out)
		}
	}
}

// A rule about a file applies to the file that a call really reads or writes, however the call
// spells it. A rule about an argument applies to this argument, at any depth.
func TestARuleIsAboutWhatACallReallyMeans(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secret.txt", "open.txt", "real/deep.txt", "sub/x"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("secret.txt", filepath.Join(dir, "link.txt")), os.Symlink("real", filepath.Join(dir, "linked")), os.Link(filepath.Join(dir, "secret.txt"), filepath.Join(dir, "hard.txt"))); err != nil {
		t.Fatal(err)
	}
	all := registry(t)
	for _, test := range []struct {
		rule, tool, args string
		want             tools.Decision
	}{
		{"deny:read_file(secret.txt)", "read_file", `{"path":"./secret.txt"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"path":"DIR/secret.txt"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"path":"secret.txt:1:1"}`, tools.Deny},
		{"deny:apply_patch(secret.txt)", "apply_patch", `{"path":"secret.txt:1","old_str":"a","new_str":"b"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"path":"sub/../secret.txt"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"path":"link.txt"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"path":"hard.txt"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"file_path":"./sub//../secret.txt"}`, tools.Deny},
		{"deny:read_file(link.txt)", "read_file", `{"path":"secret.txt"}`, tools.Deny},
		{"deny:read_file(DIR/secret.txt)", "read_file", `{"path":"secret.txt"}`, tools.Deny},
		{"deny:read_file(./secret.txt)", "read_file", `{"path":"secret.txt"}`, tools.Deny},
		{"deny:read_file(path=secret.txt)", "read_file", `{"path":"./secret.txt"}`, tools.Deny},
		{"deny:read_file(linked/*)", "read_file", `{"path":"real/deep.txt"}`, tools.Deny},
		{"deny:read_file(real/)", "read_file", `{"path":"linked/deep.txt"}`, tools.Deny},
		{"deny:read_file(secret.txt)", "read_file", `{"path":"open.txt"}`, tools.Allow},
		{"deny:create_file(new/*)", "create_file", `{"path":"./new/a","content":"x"}`, tools.Deny},
		{"deny:apply_patch(secret.txt)", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: sub/../secret.txt\n@@\n-x\n+y\n*** End Patch"}`, tools.Deny},
		{"deny:apply_patch(path=secret.txt)", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: open.txt\n@@\n-x\n+y\n*** Update File: secret.txt\n@@\n-x\n+y\n*** End Patch"}`, tools.Deny},
		{"deny:apply_patch(secret.txt)", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: open.txt\n@@\n-x\n+y\n*** End Patch"}`, tools.Allow},
		{"deny:launch_agent(*evil*)", "launch_agent", `{"tasks":[{"prompt":"a"},{"prompt":"be evil"}]}`, tools.Deny},
		{"ask:apply_patch(secret.txt)", "apply_patch", `{"path":"link.txt","old_str":"x","new_str":"y"}`, tools.Ask},
		{"ask:read_file(open.txt)", "read_file", `{"path":"secret.txt"}`, tools.Allow},

		{"allow:ntfy_publish(mytopic)", "ntfy_publish", `{"topic":"mytopic","message":"x"}`, tools.Allow},
		{"allow:ntfy_publish(mytopic)", "ntfy_publish", `{"topic":"evil","message":"mytopic"}`, tools.Ask},
		{"allow:ntfy_publish(topic=mytopic)", "ntfy_publish", `{"topic":"mytopic","message":"x"}`, tools.Allow},
		{"allow:ntfy_publish(topic=mytopic)", "ntfy_publish", `{"topic":"evil","message":"mytopic"}`, tools.Ask},
		{"allow:github_pr_comment(repo=me/repo)", "github_pr_comment", `{"number":1,"repo":"evil/x","body":"me/repo"}`, tools.Ask},
		{"allow:github_pr_comment(me/repo)", "github_pr_comment", `{"number":1,"repo":"evil/x","body":"me/repo"}`, tools.Ask},
		{"deny:ntfy_publish(message=*key*)", "ntfy_publish", `{"topic":"key","message":"x"}`, tools.Allow},
		{"deny:ntfy_publish(message=*key*)", "ntfy_publish", `{"topic":"x","message":"my key"}`, tools.Deny},
		{"allow:create_file(sub/*)", "create_file", `{"path":"sub/../secret2","content":"sub/x"}`, tools.Ask},
		{"allow:create_file(sub/*)", "create_file", `{"path":"sub/new","content":"x"}`, tools.Allow},
		{"allow:apply_patch(sub/*)", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: sub/x\n@@\n-x\n+y\n*** Update File: open.txt\n@@\n-x\n+y\n*** End Patch"}`, tools.Ask},
		{"allow:apply_patch(sub/*)", "apply_patch", `{"patch":"*** Begin Patch\n*** Update File: sub/x\n@@\n-x\n+y\n*** End Patch"}`, tools.Allow},
	} {
		kind, rule, _ := strings.Cut(strings.ReplaceAll(test.rule, "DIR", dir), ":")
		lists := map[string][]string{kind: {rule}}
		permissions, err := tools.NewPermissions(lists["allow"], lists["ask"], lists["deny"])
		if err != nil {
			t.Fatal(err)
		}
		tool, _ := all.Lookup(test.tool)
		args := json.RawMessage(strings.ReplaceAll(test.args, "DIR", dir))
		call, err := tool.Decode(args)
		if err != nil {
			t.Fatalf("%s: %v", test.args, err)
		}
		env := tools.Env{Dir: dir, Root: dir, Home: "/nowhere", Coding: true, Person: true, Approval: messages.ApproveEdits, Known: &tools.KnownHosts{}, Seen: &tools.Stamps{}}
		if kind == "allow" {
			env.Approval = messages.ApproveAsk
		}
		if got := permissions.Judge(call, env, args, false); got.Decision != test.want {
			t.Errorf("%s, %s %s: %s, want %s", test.rule, test.tool, test.args, got.Decision, test.want)
		}
	}
}
