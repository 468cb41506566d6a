package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
)

func TestTheQuestionsOfADay(t *testing.T) {
	data, err := os.ReadFile("testdata/day.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, dir := registry(t), t.TempDir()
	sandbox := tools.NewSandbox(tools.SandboxConfig{Home: t.TempDir()})
	env := tools.Env{Dir: dir, Root: dir, Home: "/home/me", Coding: true, Person: true, Approval: messages.ApproveEdits, Known: &tools.KnownHosts{}, Seen: &tools.Stamps{}, Held: tools.Held{Sandbox: sandbox}}
	if !sandbox.Whole(dir) {
		t.Skip("there is no sandbox here")
	}
	var rows []string
	task, before, now, sumBefore, sumNow := "", 0, 0, 0, 0
	end := func() {
		if task != "" {
			rows = append(rows, fmt.Sprintf("| %s | %d | %d |", task, before, now))
		}
		sumBefore, sumNow, before, now = sumBefore+before, sumNow+now, 0, 0
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		call, isCall := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case !isCall:
			end()
			task = line
			continue
		}
		kind, text, _ := strings.Cut(call, " ")
		name, args := "run_command", map[string]any{"command": text}
		switch kind {
		case "r":
			name, args = "read_file", map[string]any{"path": text}
		case "e":
			name, args = "apply_patch", map[string]any{"path": text, "old_str": "a", "new_str": "b"}
		}
		tool, _ := all.Lookup(name)
		encoded, _ := json.Marshal(args)
		decoded, err := tool.Decode(encoded)
		if err != nil {
			t.Fatal(err)
		}
		title := ""
		if decoded.Confirm != nil {
			title, _ = decoded.Confirm(env)
		}
		verdict := (*tools.Permissions)(nil).Judge(decoded, env, encoded, title != "")
		asks := verdict.Decision != tools.Allow
		if asks {
			now++
		}
		if asks || verdict.ReadOnly {
			before++
		}
		if decoded.Command != nil && !asks && !env.Confines() {
			t.Errorf("%s runs unasked outside of the sandbox", text)
		}
	}
	end()
	rows = append(rows, fmt.Sprintf("| **all %d** | **%d** | **%d** |", len(rows), sumBefore, sumNow))
	if len(rows) != 31 || sumNow*3 > sumBefore {
		t.Errorf("%d tasks, %d questions before, %d now", len(rows)-1, sumBefore, sumNow)
	}
	table := "| task | questions before | now |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
	docs, err := os.ReadFile("../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), table) {
		t.Errorf("docs/sandbox.md needs this table:\n%s", table)
	}
}
