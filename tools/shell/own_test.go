package shell

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestUserShellCommand(t *testing.T) {
	dir := t.TempDir()
	environ := append(os.Environ(), "GH_TOKEN=mine", "SSH_AUTH_SOCK=/agent", "EDITOR=never")
	for line, want := range map[string][2]string{
		"echo out; echo err >&2; echo more": {"out\nerr\nmore\n", ""},
		"pwd":                               {dir + "\n", ""},
		`echo "$GH_TOKEN $SSH_AUTH_SOCK"`:   {"mine /agent\n", ""},
		`echo "$EDITOR"; test -t 0 || echo unwatched`: {"false\nunwatched\n", ""},
		"true":                   {"", ""},
		"echo a; exit 3":         {"a\n", "exit code 3"},
		"kill -KILL $$":          {"", "ended by a signal"},
		"echo 'never closed":     {"", "exit code"},
		"# only a remark":        {"", ""},
		"echo a\x00b":            {"", "NUL"},
		"printf '\\x1b]0;x\\a'":  {"\x1b]0;x\a\n", ""}, // the screen that shows the text removes control sequences
		"echo one\necho two":     {"one\ntwo\n", ""},
		"printf 'a\\000b'":       {"[binary output, 3 bytes, not shown]\n[to look into it, use \"file\", \"strings\" or \"xxd | head\"]\n", ""},
		"cat <<END\nhere\nEND\n": {"here\n", ""},
	} {
		var heard strings.Builder
		output, err := RunOwn(t.Context(), line, dir, environ, &heard)
		if got := heard.String(); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(output, "\n") {
			t.Errorf("%q prints %q, and %q arrived as it came", line, output, got)
		}
		said := ""
		if err != nil {
			said = err.Error()
		}
		if want[0] != "" && output != want[0] || !strings.Contains(said, want[1]) || want[1] == "" && said != "" {
			t.Errorf("%q: %q, %q; want %q", line, output, said, want)
		}
	}
}

func TestUserShellCommandCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := RunOwn(ctx, "sleep 1000", t.TempDir(), os.Environ(), nil); err == nil || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("%v", err)
	}
}
