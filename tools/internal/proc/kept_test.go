package proc

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestTheSecretsOfAnEnvironment(t *testing.T) {
	for entry, want := range map[string]string{
		"NPM_TOKEN=abc": "abc", "npm_token=abc": "abc", "my.api.key=abc": "abc", "A-PASS-B=abc": "abc", "OTPX=abc": "", "LOGIN_OTP=abc": "abc",
		"MYPASSWORDS=abc": "abc", "XSECRETX=abc": "abc", "MONKEY=abc": "abc", "KEYBOARD=abc": "", "PWD=abc": "", "pwd=abc": "", "OLD_PWD=abc": "abc",
		"SSH_AUTH_SOCK=/run/agent": "", "GOOGLE_CREDENTIALS=/home/me/key.json": "", "GOOGLE_CREDENTIALS=key.json": "key.json",
		"X=sk-1": "sk-1", "X=ask-1": "", "X=AKIA1": "AKIA1", "X=-----BEGIN": "-----BEGIN", "X=-Da=b": "", "X=-Drepo.Password=b": "-Drepo.Password=b", "X=password": "",
		"X=pg://me:pw@h/d": "pg://me:pw@h/d", "X=pg://me@h/d": "", "X=pg://me:@h/d": "", "X=https://me@h/d": "https://me@h/d", "X=HTTPS://me@h": "",
		"X=http://me@h": "http://me@h", "X=https://@h": "", "X=https://h/a@b": "", "X=https://h,https://t:@h": "https://h,https://t:@h", "X=a://b,ftp://c:d@e": "a://b,ftp://c:d@e",
		"HTTPS_PROXY=http://me:pw@h": "", "PROXY=http://me:pw@h": "http://me:pw@h", "NOTHING": "", "TOKEN": "", "TOKEN=": "",
	} {
		got := Secrets([]string{"A=b", entry, entry, "C="})
		if all := strings.Join(got, "|"); all != want || len(got) > 1 {
			t.Errorf("%s: %q, not %q", entry, got, want)
		}
	}
	if got := Secrets([]string{"A_TOKEN=1", "B=2", "C_TOKEN=3", "D_TOKEN=1"}); !slices.Equal(got, []string{"1", "3"}) {
		t.Errorf("%q", got)
	}
}

func TestWithheldNamesAreSorted(t *testing.T) {
	secrets, unknown := Withheld([]string{
		"ZED=1", "B_TOKEN=1", "ALPHA=1", "A_TOKEN=1", "ZED=2", "HOME=/h", "OLDPWD=/", "GIT_DIR=/", "MARVIN_X=1", "SHLVL=1", "PAGER=less",
		"NAMED_TOKEN=1", "MARVIN_PASS_ENV=NAMED_TOKEN,ALSO", "ALSO=1", "NOTHING", "=x", "B_TOKEN=2",
	})
	if !slices.Equal(secrets, []string{"A_TOKEN", "B_TOKEN"}) || !slices.Equal(unknown, []string{"ALPHA", "ZED"}) {
		t.Errorf("%q and %q", secrets, unknown)
	}
}

// Invalid entries and Marvin's own variables reach no child.
func TestInvalidEnvironmentEntriesAreDropped(t *testing.T) {
	given := []string{"HOME", "=C:=C:\\", "LANG=a\x00b", "MARVIN_DISTRUST=/x", "MARVIN_DEPTH=7", "MARVIN_TICKET=T", "GIT_DIR=/g", "LANG=C"}
	for _, marvin := range []bool{false, true} {
		mark, environ := childEnviron(Command{Dir: "/d", Environ: given, Marvin: marvin, Env: []string{"LAST=1"}})
		for _, entry := range given {
			if got := slices.Contains(environ, entry); got != (entry == "LANG=C") {
				t.Errorf("%q is given to a child: %v (Marvin: %v)", entry, got, marvin)
			}
		}
		for _, want := range []string{"PATH=" + defaultPath, "PWD=/d", markName + "=" + mark, "LAST=1", "MARVIN_DEPTH=8"} {
			if !slices.Contains(environ, want) {
				t.Errorf("%s is missing of %q (Marvin: %v)", want, environ, marvin)
			}
		}
	}
}

func TestOwnProgramEnvironment(t *testing.T) {
	tree := t.TempDir()
	environ := Distrust([]string{
		"PATH=" + tree + string(filepath.ListSeparator) + filepath.Dir(tree) + string(filepath.ListSeparator) + "rel", "TOKEN=1",
		"LESSOPEN=" + filepath.Join(tree, "x"), "HOME=" + tree, "NOTHING", "PYTHONPATH=x", "PYTHONPATH2=", "EMPTY=",
	}, tree)
	want := []string{"PATH=" + filepath.Dir(tree), "TOKEN=1", "HOME=" + tree, "PYTHONPATH2=", "EMPTY="}
	if got := Trusted(environ); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if _, left := TrustedPath(environ); !slices.Equal(left, []string{tree}) {
		t.Errorf("left out: %q", left)
	}
	if got := PlainEnviron(environ); slices.ContainsFunc(got, func(entry string) bool { return strings.HasPrefix(entry, distrustName) }) || len(got) != len(environ)-1 {
		t.Errorf("%q", got)
	}
}

// Only the first line of a script names its interpreter.
func TestTheInterpreterOfAScript(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		"#!/bin/sh": "/bin/sh", "#!/bin/sh\necho": "/bin/sh", "#! /usr/bin/env  python3 -x\n": "/usr/bin/env", "#!sh\n": "", "#!\n": "", "": "", "x\n#!/bin/sh": "",
		"#!/" + strings.Repeat("a", 300): "/" + strings.Repeat("a", 253),
	} {
		path := filepath.Join(dir, "script")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := interpreterOf(path); got != want {
			t.Errorf("%.40q: %.40q", content, got)
		}
	}
	if got := interpreterOf(filepath.Join(dir, "none")); got != "" {
		t.Errorf("nothing: %q", got)
	}
}

// slow fails after some bytes.
type slow struct{ left int }

var errWorn = errors.New("worn out")

func (s *slow) Read(into []byte) (int, error) {
	if s.left == 0 {
		return 0, errWorn
	}
	n := min(s.left, len(into))
	s.left -= n
	for i := range n {
		into[i] = 'a' + byte(i)
	}
	return n, nil
}

func TestBothEndsOfAStream(t *testing.T) {
	for _, test := range []struct {
		limit, bytes int
		head, tail   string
	}{{4, 0, "", ""}, {4, 3, "abc", ""}, {4, 4, "abcd", ""}, {4, 5, "ab", "de"}, {5, 9, "ab", "ghi"}} {
		var last atomic.Pointer[keeper]
		keeper := &keeper{limit: test.limit, last: &last}
		n, err := io.Copy(keeper, &slow{test.bytes})
		head, tail := keeper.output().HeadAndTail()
		if n != int64(test.bytes) || !errors.Is(err, errWorn) || string(head) != test.head || string(tail) != test.tail {
			t.Errorf("%d of %d: %d, %v, %q and %q", test.limit, test.bytes, n, err, head, tail)
		}
	}
	var one, other bytes.Buffer
	for _, both := range []io.Writer{joined(&one, nil), joined(nil, &other), joined(&one, &other)} {
		if _, err := both.Write([]byte("x")); err != nil {
			t.Error(err)
		}
	}
	if one.String() != "xx" || other.String() != "xx" {
		t.Errorf("%q and %q", one.String(), other.String())
	}
}

// A Marvin that starts another one runs its own program, even if its file was replaced.
func TestItRunsItself(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("that is Linux's")
	}
	environ := []string{"PATH=/bin:/usr/bin"}
	for _, test := range []struct {
		command Command
		want    string
	}{
		{Command{Name: self(), Marvin: true}, "/proc/self/exe"},
		{Command{Name: self()}, self()},
		{Command{Name: self(), Marvin: true, Shell: "x"}, "/bash"},
		{Command{Name: "/other/marvin", Marvin: true}, "/other/marvin"},
	} {
		test.command.Environ, test.command.Args = environ, []string{"a"}
		path, args, err := test.command.program()
		if err != nil || !strings.HasSuffix(path, test.want) || (test.command.Shell == "") != slices.Equal(args, []string{"a"}) {
			t.Errorf("%+v: %s %q, %v", test.command, path, args, err)
		}
	}
	if own := Self(); own.PID != os.Getpid() {
		t.Errorf("%+v", own)
	}
	if text := (&Away{}).Error(); text != "the command continues in the background" {
		t.Error(text)
	}
}

func TestDetachedChildOutcome(t *testing.T) {
	for _, test := range []struct {
		outcome
		code int
	}{{outcome{}, 0}, {outcome{err: errWorn}, 1}, {outcome{Result{ExitCode: 3}, errWorn}, 3}, {outcome{Result{ExitCode: 3}, nil}, 3}} {
		ended := make(chan outcome, 1)
		ended <- test.outcome
		if end := (&Away{ended: ended}).Wait(); end.ExitCode != test.code {
			t.Errorf("%+v ends with %d", test.outcome, end.ExitCode)
		}
	}
}
