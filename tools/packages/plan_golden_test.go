package packages

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

// TestInstallPlans records for each project and manager the command, the timeout, the destination
// and the result.
func TestInstallPlans(t *testing.T) {
	var out strings.Builder
	many := func(n int) string {
		return `{"manager":"npm","packages":"` + strings.TrimSpace(strings.Repeat("p ", n)) + `"}`
	}
	for _, files := range [][]string{nil, {"package.json"}, {"pyproject.toml"}, {"uv.lock"}, {"requirements.txt"}, {"setup.py"}, {"package.json", "uv.lock"}, {"setup.py", ".venv/bin/python"}, {"setup.py", "venv/bin/python"}} {
		for _, args := range []string{`{"packages":["a"]}`, `{"packages":["a","bad"],"dev":true}`, `{"packages":["bad"],"manager":"pip"}`, `{"packages":["a"],"manager":"uv"}`} {
			env, log := project(t, files...)
			for _, name := range files {
				if strings.HasSuffix(name, "python") { // a Python that works
					if err := errors.Join(os.Remove(env.Dir+"/"+name), disktest.WriteProgram(env.Dir+"/"+name, []byte("#!/bin/sh\nexit 0\n"), 0o755)); err != nil {
						t.Fatal(err)
					}
				}
			}
			text, err := toolstest.Call(t, Tools(), env, "install_packages", args)
			toolstest.NothingOpen(t, env.Dir, args)
			fmt.Fprintf(&out, "%q %s: %q %v\nran %q\n", files, args, text, err, log())
		}
	}
	env, _ := project(t, "package.json")
	for _, args := range []string{many(1), many(2), many(20), many(21), `{"packages":[]}`, `{"packages":["--x"]}`, `{"packages":["git+https://example.org/a.git"]}`} {
		call, err := Tools()[0].Decode(json.RawMessage(args))
		if err != nil {
			fmt.Fprintf(&out, "%s: %v\n", args, err)
			continue
		}
		title, detail := call.Confirm(env)
		fmt.Fprintf(&out, "%.60s: %s, %q, %d lines, sends to %d\n", args, call.Timeout, title, strings.Count(detail, "\n"), len(call.Destinations(env)))
	}
	for _, name := range []string{"a", "z", "A", "Z", "0", "9", "`", "{", "@", "[", "/", ":", "a b", "-", "a-", strings.Repeat("x", 300), strings.Repeat("x", 301)} {
		fmt.Fprintf(&out, "%.20q may be a package: %t\n", name, check(name) == nil)
	}
	said := func(stdout, stderr string) (of proc.Result) {
		of.Stdout.Bytes, of.Stdout.Total = []byte(stdout), int64(len(stdout))
		of.Stderr.Bytes, of.Stderr.Total = []byte(stderr), int64(len(stderr))
		return of
	}
	for _, result := range []proc.Result{said("", ""), said("out\n", ""), said("out", " \n"), said("out", "why\x1b\n"), said(strings.Repeat("ä", 800), ""), said(strings.Repeat("ä", 801), "")} {
		text := last(result)
		fmt.Fprintf(&out, "last: %d bytes %.30q\n", len(text), text)
	}
	if _, err := commandOf(env, "brew", false); err == nil || err.Error() != `"brew" is not a package manager` {
		t.Error(err)
	}
	env.Dir = ""
	if _, err := toolstest.Call(t, Tools(), env, "install_packages", many(1)); err == nil || !strings.HasPrefix(err.Error(), "no working directory is set") {
		t.Error(err)
	}
	goldentest.Assert(t, "planned.golden", tools.Unhidden(out.String()), os.Getenv("UPDATE_GOLDEN") != "")
}
