package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/logins"
	"marvin/providers/modeltest"
)

// login stores expired tokens in a profile. All of them are canaries.
func login(t *testing.T, home string) (file string) {
	t.Helper()
	profile := persistence.Open(home, time.Now).Profile("default")
	if err := logins.ChangeTokens(profile, func(all *logins.Tokens) error {
		all.Spotify = &logins.SpotifyToken{AccessToken: "cAnArY-access-1", RefreshToken: "cAnArY-refresh-1", TokenType: "Bearer", ExpiresIn: 3600, SavedAt: 1}
		all.Login = &logins.SpotifyLogin{State: "state", Verifier: "cAnArY-verifier-1", SavedAt: 1}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(profile.Dir, "tokens.json")
}

// No tool shows the tokens that Marvin stores, neither tokens that it had before nor tokens that a
// service returns while the tool runs.
func TestNoToolShowsMarvinsOwnTokens(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"an error": http.StatusUnauthorized, "an answer": http.StatusOK} {
		b := newBench(t)
		file := login(t, b.env.Home)
		var said bytes.Buffer
		b.env.Progress = func(line string) { fmt.Fprintln(&said, line) }
		given, sent := 1, 0
		b.answers(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/api/token") {
				given++
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprintf(w, `{"access_token":"cAnArY-access-%d","token_type":"Bearer","expires_in":3600,"refresh_token":"cAnArY-refresh-%d"}`, given, given)
				return
			}
			if strings.HasPrefix(r.Header.Get("Authorization"), "Bearer cAnArY") {
				sent++
			}
			echo(w, r, status)
		})
		for _, tool := range b.registry.All() {
			output, err := b.call(t.Context(), t, tool, nil)
			if text := fmt.Sprint(output.Text, err, said.String()); strings.Contains(text, "cAnArY") {
				t.Errorf("%s, told %s, shows a token: %s", tool.Name, name, text)
			}
			said.Reset()
		}
		output, err := b.call(t.Context(), t, find(t, b, "run_command"), map[string]any{"command": "cat " + file + "; echo read"})
		if err != nil || strings.Contains(output.Text, "cAnArY") || !strings.Contains(output.Text, "withheld") || !strings.Contains(output.Text, "read") {
			t.Errorf("a command shows a token: %s, %v", output.Text, err)
		}
		if given == 1 || sent == 0 {
			t.Errorf("told %s: %d tokens given, %d sent: the test is broken", name, given, sent)
		}
		quiet(t, file, b.env.Home, b.env.Dir)
	}
}

// Seen from outside: nothing that a session stores or prints contains a token.
func TestNoSessionLeavesMarvinsOwnTokensBehind(t *testing.T) {
	t.Parallel()
	home, audit, told := t.TempDir(), filepath.Join(t.TempDir(), "audit.jsonl"), ""
	file := login(t, home)
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			told += request.Last().Result.Text
			return modeltest.Text("done")
		}
		return modeltest.Calls(
			modeltest.Call{Name: "run_command", Args: map[string]string{"command": "cat " + file + " && echo cAnArY-refresh-1 >&2; exit 3"}},
			modeltest.Call{Name: "no_such_tool", Args: map[string]string{"token": "cAnArY-access-1"}},
		)
	}, "--sandbox", "off", "-p", "remember cAnArY-verifier-1") // which would hide the file
	command.Env = slices.DeleteFunc(command.Env, func(entry string) bool { return strings.HasPrefix(entry, "HOME=") })
	command.Env = append(command.Env, "HOME="+home, "MARVIN_SUBAGENT_LOG="+audit)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	written, err := os.ReadFile(audit)
	if err != nil || bytes.Count(written, []byte("\n")) != 3 || !bytes.Contains(written, []byte("withheld")) {
		t.Errorf("the audit log: %v\n%s\n%s", err, written, said.String())
	}
	if strings.Contains(said.String()+told, "cAnArY") {
		t.Errorf("a token is shown: %s\n%s", said.String(), told)
	}
	quiet(t, file, home, filepath.Dir(audit), command.Dir)
}

// quiet fails for every file below the directories that contains a token, except the file in which
// it is stored.
func quiet(t *testing.T, but string, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || path == but {
				return err
			}
			content, err := os.ReadFile(path)
			if bytes.Contains(content, []byte("cAnArY")) {
				t.Errorf("%s holds a token: %s", path, content)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}
