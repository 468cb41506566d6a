package main

import (
	"fmt"
	"os"
	"path/filepath"

	"marvin/providers/modeltest"
)

// peer is an assistant: how it is called, and which of its tools does what a step says.
type peer struct {
	name    string
	settle  func(home, url string) error
	args    func(url string) []string
	environ func(url string) []string
	call    func(one step, dir string) modeltest.Call
}

type args = map[string]any

const prompt = "A test of the ledger fails. Find out why, mend it, and run the tests again."

var peers = []peer{
	{
		name: "marvin",
		// What a language server finds late, as on a busy machine, is a request more; the others have none.
		settle: func(home, _ string) error {
			return put(filepath.Join(home, ".config", "local-finder", "config.yaml"), "languages:\n  gopls: {enabled: false}\n")
		},
		args: func(string) []string {
			return []string{"--non-interactive", "--provider", "openai-compat", "--approve", "all", "--prompt", prompt}
		},
		environ: func(url string) []string {
			return []string{"OPENAI_COMPAT_URL=" + url + "/chat/completions", "OPENAI_COMPAT_MODEL=played", "OPENAI_COMPAT_API_KEY=k"}
		},
		call: func(one step, _ string) modeltest.Call {
			switch {
			case one.command != "":
				return modeltest.Call{Name: "run_command", Args: args{"command": one.command}}
			case one.old != "":
				return modeltest.Call{Name: "apply_patch", Args: args{"path": one.path, "old_str": one.old, "new_str": one.text}}
			}
			return modeltest.Call{Name: "read_file", Args: ranged(one, args{"path": one.path}, "start_line", "end_line")}
		},
	},
	{
		name: "pi",
		settle: func(home, url string) error {
			text := fmt.Sprintf(`{"providers":{"played":{"baseUrl":%q,"api":"openai-completions","apiKey":"k","models":[{"id":"played","contextWindow":200000}]}}}`, url)
			return put(filepath.Join(home, ".pi", "agent", "models.json"), text)
		},
		args:    func(string) []string { return []string{"-p", "--provider", "played", "--model", "played", prompt} },
		environ: func(string) []string { return []string{"PI_OFFLINE=1", "PI_TELEMETRY=0"} },
		call: func(one step, _ string) modeltest.Call {
			switch {
			case one.command != "":
				return modeltest.Call{Name: "bash", Args: args{"command": one.command}}
			case one.old != "":
				return modeltest.Call{Name: "edit", Args: args{"path": one.path, "edits": []args{{"oldText": one.old, "newText": one.text}}}}
			}
			call := modeltest.Call{Name: "read", Args: args{"path": one.path}}
			if one.first > 0 {
				call.Args = args{"path": one.path, "offset": one.first, "limit": one.last - one.first + 1}
			}
			return call
		},
	},
	{
		name: "codex", settle: nothing,
		args: func(url string) []string {
			return []string{
				"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5.1-codex", "-c", "model_provider=played",
				"-c", fmt.Sprintf(`model_providers.played={name="played",base_url=%q,env_key="PLAYED_KEY",wire_api="responses"}`, url), prompt,
			}
		},
		environ: func(string) []string { return []string{"PLAYED_KEY=k"} },
		call: func(one step, _ string) modeltest.Call { // it reads and edits by commands
			command := one.command
			switch {
			case one.old != "":
				command = fmt.Sprintf("sed -i 's/%s/%s/' %s", one.old, one.text, one.path)
			case command == "" && one.first > 0:
				command = fmt.Sprintf("sed -n '%d,%dp' %s", one.first, one.last, one.path)
			case command == "":
				command = "cat " + one.path
			}
			return modeltest.Call{Name: "exec_command", Args: args{"cmd": command}}
		},
	},
	{
		name: "copilot", settle: nothing,
		args: func(string) []string { return []string{"-p", prompt, "--allow-all-tools"} },
		environ: func(url string) []string {
			return []string{"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + url, "COPILOT_PROVIDER_API_KEY=k", "COPILOT_MODEL=played"}
		},
		call: func(one step, dir string) modeltest.Call {
			path := filepath.Join(dir, one.path)
			switch {
			case one.command != "":
				return modeltest.Call{Name: "bash", Args: args{"command": one.command, "description": "Look", "mode": "sync"}}
			case one.old != "":
				return modeltest.Call{Name: "edit", Args: args{"path": path, "old_str": one.old, "new_str": one.text}}
			}
			call := modeltest.Call{Name: "view", Args: args{"path": path}}
			if one.first > 0 {
				call.Args = args{"path": path, "view_range": []int{one.first, one.last}}
			}
			return call
		},
	},
}

// ranged adds the lines that a step is about to the arguments of a call.
func ranged(one step, to args, first, last string) args {
	if one.first > 0 {
		to[first], to[last] = one.first, one.last
	}
	return to
}

func nothing(string, string) error { return nil }

func put(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}
