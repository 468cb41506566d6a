package tools

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const canary = "canary+key/0123456789=abc"

func TestKeysAreHiddenInEverySpelling(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".ssh", "GNEWS_API_KEY"), []byte("key-in-a-file-42\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	secrets := SecretsOf([]string{"GROQ_API_KEY=" + canary, "SSH_AUTH_SOCK=/tmp/agent.1", "DB_PASSWORD=short", "HOME=" + home}, home)
	for _, text := range []string{
		canary, "https://x.org/?key=" + url.QueryEscape(canary) + "&q=1", "/" + url.PathEscape(canary), "key-in-a-file-42",
		base64.StdEncoding.EncodeToString([]byte(canary)), base64.StdEncoding.EncodeToString([]byte("user:" + canary)),
		base64.URLEncoding.EncodeToString([]byte("i:" + canary + ":more")), base64.StdEncoding.EncodeToString([]byte("id" + canary)),
	} {
		if hidden := secrets.Hide("<" + text + ">"); !strings.Contains(hidden, hiddenText) || strings.Contains(hidden, "anary+key") || len(hidden) > 70 {
			t.Errorf("%s is shown as %s", text, hidden)
		}
	}
	for _, text := range []string{"short", "/tmp/agent.1", home} {
		if hidden := secrets.Hide(text); hidden != text {
			t.Errorf("%s is shown as %s", text, hidden)
		}
	}
}

func TestCallsShowNoKeys(t *testing.T) {
	type none struct{}
	failed := Advise(fs.ErrPermission, "the header was %s", canary)
	echo := func(access Access) Tool {
		return New(Def[none]{Name: "echo", Access: access, Run: func(_ context.Context, env Env, _ none) (Output, error) {
			env.Progress("with " + canary)
			return Output{Text: "you sent " + canary}, failed
		}})
	}
	for _, access := range []Access{Free, Shared} {
		call, err := echo(access).Decode([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		output, err := call.Run(t.Context(), Env{Environ: []string{"X_TOKEN=" + canary}, Progress: func(line string) { said = line }})
		if strings.Contains(said+err.Error(), canary) || !strings.Contains(err.Error(), hiddenText) || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%q, %v", said, err)
		}
		if advice := (*Advice)(nil); !errors.As(err, &advice) {
			t.Error("it is no advice any more")
		}
		if shown := strings.Contains(output.Text, canary); shown != (access == Shared) { // the content of the user's files stays unchanged
			t.Errorf("access %d: %q", access, output.Text)
		}
	}
}

func TestRenewedTokensAreHidden(t *testing.T) {
	type none struct{}
	home := t.TempDir()
	file := filepath.Join(home, ".config", "marvin", "profiles", "default", "tokens.json")
	keep := func(token string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(`{"spotify":{"refresh_token":"`+token+`"}}`), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, access := range []Access{Free, Shared, Exclusive} {
		keep("first-canary")
		tool := New(Def[none]{Name: "renew", Access: access, Run: func(_ context.Context, env Env, _ none) (Output, error) {
			env.Progress("with first-canary")
			keep("second-canary")
			return Output{Text: "first-canary, " + base64.StdEncoding.EncodeToString([]byte("second-canary")) + ", second-canary"}, errors.New("no second-canary")
		}})
		call, err := tool.Decode([]byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		output, err := call.Run(t.Context(), Env{Home: home, Progress: func(line string) { said = line }})
		if all := output.Text + err.Error() + said; strings.Contains(all, "canary") || strings.Count(all, hiddenText) != 5 {
			t.Errorf("access %d: %s, %v, %s", access, output.Text, err, said)
		}
	}
	if hidden := SecretsOf(nil, home).Hide("a second-canary"); hidden != "a "+hiddenText {
		t.Errorf("logs show %s", hidden)
	}
}
