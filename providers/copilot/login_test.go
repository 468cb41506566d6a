package copilot

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

// Whether Copilot can answer is known, with the reason, before anything is started.
func TestCopilotReadiness(t *testing.T) {
	dir := t.TempDir()
	cli := filepath.Join(dir, "copilot")
	if err := disktest.WriteProgram(cli, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	note := func(content string) string {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return "COPILOT_HOME=" + home
	}
	below := t.TempDir()
	if err := os.MkdirAll(filepath.Join(below, ".copilot"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(below, ".copilot", "config.json"), []byte(`{"lastLoggedInUser":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const not = "the Copilot CLI is installed, but not logged in"
	for _, test := range []struct{ environ, want string }{
		{"", not},
		{"COPILOT_GITHUB_TOKEN=x", "the Copilot CLI is installed and COPILOT_GITHUB_TOKEN is set"},
		{"GH_TOKEN=gho_1", "the Copilot CLI is installed and GH_TOKEN is set"},
		{"GITHUB_TOKEN=y", "the Copilot CLI is installed and GITHUB_TOKEN is set"},
		{"GH_TOKEN=ghp_classic", not},
		{"GH_TOKEN= ", not},
		{"COPILOT_PROVIDER_BASE_URL=http://x", "the Copilot CLI is installed and COPILOT_PROVIDER_BASE_URL is set"},
		{note("// a comment\n  // another\n{\"lastLoggedInUser\":{\"login\":\"me\"}}"), "the Copilot CLI is installed and logged in"},
		{note(`{"last_logged_in_user":"me"}`), "the Copilot CLI is installed and logged in"},
		{note(`{"lastLoggedInUser":null}`), not},
		{note(`{"lastLoggedInUser":`), not},
		{"HOME=" + below, "the Copilot CLI is installed and logged in"},
		{"HOME=" + t.TempDir(), not},
	} {
		usable, why := Usable([]string{pathVar + "=" + cli, test.environ})
		if why != test.want || usable != (test.want != not) {
			t.Errorf("%s: %t, %s", test.environ, usable, why)
		}
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	hint := "; set it to the path of the program, or unset it so that Marvin searches PATH"
	for environ, want := range map[string]string{
		pathVar + "=" + dir + "/gone": "the Copilot CLI is not available: COPILOT_CLI_PATH is set to " + dir + "/gone: no such file or directory" + hint,
		pathVar + "=" + dir:           "the Copilot CLI is not available: COPILOT_CLI_PATH is set to " + dir + ": it is not a program" + hint,
		pathVar + "=" + plain:         "the Copilot CLI is not available: COPILOT_CLI_PATH is set to " + plain + ": it is not a program" + hint,
		"PATH=relative":               "the Copilot CLI is not available: there is no copilot on PATH; install it with `npm install -g @github/copilot`, or set COPILOT_CLI_PATH to its path",
	} {
		if usable, why := Usable([]string{environ}); usable || why != want {
			t.Errorf("%s: %t, %s", environ, usable, why)
		}
	}
	if got := lookup([]string{"A=1", "A= 2 ", "AB=3"}, "A"); got != "2" {
		t.Errorf("the last one counts: %q", got)
	}
}

func TestVariablesOfAnOwnKey(t *testing.T) {
	for line, want := range map[string]string{
		"API_KEY_COMMAND=pass": "COPILOT_PROVIDER_API_KEY_COMMAND is not supported by Marvin; set COPILOT_PROVIDER_API_KEY instead",
		"MAX_PROMPT_TOKENS=0":  `COPILOT_PROVIDER_MAX_PROMPT_TOKENS="0" is not a number of tokens`,
		"MAX_OUTPUT_TOKENS=1k": `COPILOT_PROVIDER_MAX_OUTPUT_TOKENS="1k" is not a number of tokens`,
		"HEADERS=a: b\nsecret": "COPILOT_PROVIDER_HEADERS: a line is not `Name: value`",
	} {
		if _, err := ownKey([]string{"COPILOT_PROVIDER_BASE_URL=http://x", "COPILOT_PROVIDER_" + line}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", line, err)
		}
	}
	config, err := ownKey([]string{"COPILOT_PROVIDER_BASE_URL=http://x", "COPILOT_PROVIDER_MAX_PROMPT_TOKENS=1", `COPILOT_PROVIDER_HEADERS=\n\n A : b:c \n`})
	if err != nil || config.BaseURL != "http://x" || config.Azure != nil || config.MaxPromptTokens != 1 || config.MaxOutputTokens != 0 || !maps.Equal(config.Headers, map[string]string{"A": "b:c"}) {
		t.Errorf("%+v, %v", config, err)
	}
	for address, want := range map[string]string{"": "", "http://localhost:1/v1": "localhost:1", "http://a b": "http://a b"} {
		if got := OwnHost([]string{"COPILOT_PROVIDER_BASE_URL=" + address}); got != want {
			t.Errorf("%q is at %q", address, got)
		}
	}
}

// If the CLI cannot write to its directories, it gets one of ours; the rest of the environment is
// unchanged.
func TestTheCLIGetsPlacesThatItCanWriteTo(t *testing.T) {
	p := &process{scratch: t.TempDir()}
	home, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cache, state := "XDG_CACHE_HOME="+p.scratch, "COPILOT_HOME="+p.scratch
	for _, test := range []struct{ environ, want []string }{
		{nil, []string{cache, state}},
		{[]string{homeVar + "=" + home}, nil},
		{[]string{homeVar + "=" + file}, []string{cache, state}},
		{[]string{homeVar + "=" + home, "XDG_CACHE_HOME=" + file}, []string{cache}},
		{[]string{homeVar + "=" + home, "COPILOT_HOME=" + file}, []string{state}},
		{[]string{homeVar + "=" + home, ownKeyVar + "=http://x"}, []string{"COPILOT_MODEL=unset"}},
		{[]string{homeVar + "=" + home, ownKeyVar + "=http://x", "COPILOT_MODEL=m"}, nil},
	} {
		got := p.surroundings(test.environ)
		if want := append(slices.Clone(test.environ), test.want...); !slices.Equal(got, want) {
			t.Errorf("%q became %q, want %q", test.environ, got, want)
		}
	}
	for _, dir := range []string{home, p.scratch} {
		if left, _ := filepath.Glob(filepath.Join(dir, ".marvin-*")); len(left) > 0 {
			t.Errorf("probes are left: %v", left)
		}
	}
	var last tail
	for _, text := range []string{strings.Repeat("a", 1999), "b", "c"} {
		if n, err := last.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d of %d, %v", n, len(text), err)
		}
	}
	if got := last.String(); got != strings.Repeat("a", 1998)+"bc" {
		t.Errorf("%d bytes kept, ending in %q", len(got), got[len(got)-3:])
	}
}
