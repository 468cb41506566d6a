package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clientOfOthers returns the program acpx and the SDK that was installed with it.
func clientOfOthers(t *testing.T) (acpx, sdk string) {
	t.Helper()
	acpx, err := exec.LookPath("acpx")
	if err != nil {
		t.Skip("acpx is not there: npm install acpx @agentclientprotocol/sdk")
	}
	real, err := filepath.EvalSymlinks(acpx)
	if err != nil {
		t.Fatal(err)
	}
	modules, _, found := strings.Cut(real, "/node_modules/")
	sdk = filepath.Join(modules, "node_modules", "@agentclientprotocol", "sdk", "dist", "v1", "stable", "acp.js")
	if _, err := os.Stat(sdk); !found || err != nil {
		t.Skip("the SDK is not beside acpx: npm install acpx @agentclientprotocol/sdk")
	}
	return acpx, sdk
}

// asAgent returns the command line and the environment with which a client starts this program,
// with a model that obeys the prompts.
func asAgent(t *testing.T) (line, environ []string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "marvin")
	if err := os.Symlink(os.Args[0], program); err != nil {
		t.Fatal(err)
	}
	return []string{program, "acp", "--provider", "openai-compat", "--approve", "ask"}, process(t, doing).Env
}

// The official SDK drives Marvin through every method that Marvin offers.
func TestTheOfficialSDKDrivesMarvin(t *testing.T) {
	t.Parallel()
	_, sdk := clientOfOthers(t)
	line, environ := asAgent(t)
	dir, wire := t.TempDir(), filepath.Join(t.TempDir(), "wire")
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	var out, stderr bytes.Buffer
	client := exec.CommandContext(ctx, "node", append([]string{filepath.Join("testdata", "acp", "client.mjs"), sdk, wire, dir}, line...)...)
	client.Env, client.Stdout, client.Stderr = environ, &out, &stderr
	if err := client.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var did struct {
		Version, Code  int
		Modes, File    string
		Options, Stops []string
		Again          []string
		Coding         bool
		Listed, Forked bool
		Errors         []int
		Seen           struct {
			Updates            []string
			Permissions, Forms int
			Text               string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &did); err != nil {
		t.Fatal(err)
	}
	if did.Version != 1 || did.Code != 0 || did.Coding || !did.Listed || !did.Forked || did.File != "one\n" || !slices.Equal(did.Again, []string{"ask", "ask"}) {
		t.Errorf("it did %s", out.String())
	}
	if !slices.Equal(did.Stops, []string{"end_turn", "end_turn", "end_turn", "end_turn", "cancelled", "end_turn"}) || !slices.Equal(did.Errors, []int{-32601, -32002}) {
		t.Errorf("prompts ended with %v, errors are %v", did.Stops, did.Errors)
	}
	if did.Seen.Permissions != 3 || did.Seen.Forms != 1 || !strings.Contains(did.Seen.Text, "→ blue") {
		t.Errorf("it saw %+v", did.Seen)
	}
	for _, kind := range []string{"available_commands_update", "config_option_update", "current_mode_update", "tool_call", "tool_call_update", "usage_update", "session_info_update", "user_message_chunk"} {
		if !slices.Contains(did.Seen.Updates, kind) {
			t.Errorf("no %s among %v", kind, did.Seen.Updates)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "cancelled")); err == nil {
		t.Error("the cancelled call ran")
	}
	recorded, err := os.ReadFile(wire)
	if err != nil {
		t.Fatal(err)
	}
	e := editorProgram{t: t, asked: map[int]string{}}
	for one := range strings.Lines(string(recorded)) {
		got := frame{Line: one[1:]}
		if err := json.Unmarshal([]byte(one[1:]), &got); err != nil {
			t.Fatalf("%v: %s", err, one)
		}
		if one[0] == '<' {
			e.check(got)
		} else if got.ID != nil && got.Method != "" {
			e.asked[*got.ID] = got.Method
		}
	}
	if len(e.asked) < 15 {
		t.Errorf("%d requests were recorded", len(e.asked))
	}
}

func TestTheRealAcpxDrivesMarvin(t *testing.T) {
	t.Parallel()
	acpx, _ := clientOfOthers(t)
	line, environ := asAgent(t)
	dir := t.TempDir()
	run := func(denies bool, arguments ...string) string {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), patience)
		defer stop()
		client := exec.CommandContext(ctx, acpx, append([]string{"--cwd", dir, "--agent", strings.Join(line, " ")}, arguments...)...)
		client.Env = environ
		out, err := client.CombinedOutput()
		if (err != nil) != denies {
			t.Fatalf("acpx %v: %v\n%s", arguments, err, out)
		}
		return string(out)
	}
	if said := run(false, "--approve-all", "--format", "quiet", "exec", `run_command {"command":"touch allowed"}`); !strings.Contains(said, "result: ") {
		t.Errorf("acpx says %s", said)
	}
	if said := run(true, "--deny-all", "exec", `run_command {"command":"touch denied"}`); !strings.Contains(said, "the user said no") {
		t.Errorf("acpx says %s", said)
	}
	var files []string
	for _, name := range []string{"allowed", "denied"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			files = append(files, name)
		}
	}
	if fmt.Sprint(files) != "[allowed]" {
		t.Errorf("the calls left %v", files)
	}
}
