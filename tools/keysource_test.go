package tools_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools"
)

// A key is read from the place that config.yaml names. An error gives the reason, and never the
// content.
func TestKeysAreReadWhereTheyAre(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts")
	}
	home, programs := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(home, "k"): "sk-in-a-file\n", filepath.Join(home, "empty"): " \n", filepath.Join(home, "long"): strings.Repeat("x", 5000),
		// Like secret-tool of libsecret, it prints the secret on standard output, or exits with
		// code 1.
		filepath.Join(programs, "secret-tool"): "#!/bin/sh\n[ \"$*\" = 'lookup service marvin account mine' ] && printf sk-in-the-ring && exit 0\n" +
			"[ \"$4\" = account ] && [ \"$5\" = locked ] && echo 'secret-tool: Cannot autolaunch D-Bus without X11 $DISPLAY' >&2\nexit 1\n",
	} {
		if err := disktest.WriteProgram(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	with, without := []string{"PATH=" + programs + ":/usr/bin:/bin", "HOME=" + home}, []string{"PATH=" + home, "HOME=" + home}
	for _, test := range []struct {
		environ      []string
		source, want string
		problem      string
	}{
		{with, "file:~/k", "sk-in-a-file", ""},
		{with, "file:" + filepath.Join(home, "k"), "sk-in-a-file", ""},
		{with, "file:k", "", "is a relative path"},
		{with, "file:~/gone", "", "does not exist"},
		{with, "keyring:mine", "sk-in-the-ring", ""},
		{with, "keyring:other", "", "the keyring has no entry for marvin under other"},
		{with, "keyring:locked", "", "the keyring does not answer (secret-tool: Cannot autolaunch D-Bus without X11 $DISPLAY)"},
		{without, "keyring:mine", "", "install libsecret-tools"},
		{with, "!printf ' sk-%s ' said", "sk-said", ""},
		{with, "!pwd | grep -q " + home + " && echo sk-at-home", "sk-at-home", ""},
		{with, "!true", "", "nothing is there"},
		{with, "!echo sk-not-to-be-told; exit 3", "", "exit code 3"},
		{with, "!head -c 5000 /dev/zero | tr '\\0' x", "", "too long for a key"},
		{with, "sk-plain", "", "given as $NAME, file:PATH, keyring:NAME or !command"},
	} {
		got, err := tools.KeyAt(t.Context(), test.environ, home, test.source)
		if got != test.want || (err == nil) != (test.problem == "") || err != nil && (!strings.Contains(err.Error(), test.problem) || strings.Contains(err.Error(), "not-to-be-told")) {
			t.Errorf("%s: %q, %v", test.source, got, err)
		}
	}
}

func TestAKeyIsKeptInTheKeyring(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script")
	}
	home, programs := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\n[ \"$*\" = 'store --label=Marvin: mine service marvin account mine' ] && cat > \"$HOME/kept\" && exit 0\necho 'secret-tool: the prompt was dismissed' >&2\nexit 1\n"
	if err := disktest.WriteProgram(filepath.Join(programs, "secret-tool"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + programs + ":/usr/bin:/bin", "HOME=" + home}
	if err := tools.KeepKey(t.Context(), environ, home, "mine", "sk-kept"); err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(filepath.Join(home, "kept")); err != nil || string(kept) != "sk-kept" {
		t.Errorf("kept %q, %v", kept, err)
	}
	if err := tools.KeepKey(t.Context(), environ, home, "other", "sk-kept"); err == nil || !strings.Contains(err.Error(), "the prompt was dismissed") {
		t.Errorf("it says %v", err)
	}
}
