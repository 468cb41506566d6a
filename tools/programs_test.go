package tools

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"marvin/persistence/disktest"
)

func TestEveryCallDistrustsItsDirectories(t *testing.T) {
	type nothing struct{}
	find := func(env Env) string {
		_, err := Program("git", env.Environ)
		if errors.As(err, new(*Untrusted)) && errors.Is(err, ErrNoProgram) {
			return "untrusted"
		}
		return "found"
	}
	tool := New(Def[nothing]{
		Name: "looks", Doc: "Looks.",
		Confirm: func(env Env, _ nothing) (string, string) { return find(env), "" },
		Run:     func(_ context.Context, env Env, _ nothing) (Output, error) { return Output{Text: find(env)}, nil },
	})
	call, err := tool.Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	bin := filepath.Join(project, "node_modules", ".bin")
	if err := errors.Join(os.MkdirAll(bin, 0o755), disktest.WriteProgram(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for want, env := range map[string]Env{"found": {}, "untrusted": {Dir: project}} {
		env.Environ = []string{"PATH=" + bin}
		asked, _ := call.Confirm(env)
		if output, err := call.Run(t.Context(), env); err != nil || output.Text != want || asked != want {
			t.Errorf("%+v: %q, asked %q, %v", env, output.Text, asked, err)
		}
	}
	env := Env{Root: project, Dir: t.TempDir(), Environ: []string{"PATH=" + bin}} // the conversation has changed its directory
	if output, err := call.Run(t.Context(), env); err != nil || output.Text != "untrusted" {
		t.Errorf("%q, %v", output.Text, err)
	}
}
