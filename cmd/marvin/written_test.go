package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/providers/modeltest"
)

func TestACommandFileIsThePromptThatItSays(t *testing.T) {
	for _, test := range []struct {
		name, stdin, asked, said string
		args                     []string
	}{
		{"in a script", "", "package garden", "", []string{"-n", "-p", "/own twice"}},
		{"in a script with standard input", "PIPED WORDS", "PIPED WORDS", "", []string{"-n", "-p", "/own twice"}},
		{"outside coding mode", "/own twice\n", "package garden", "The command lines in /own run in coding mode only", []string{"--plain"}},
		{"a project's in a script", "", "", "/theirs comes with this directory, and you have not read its text yet", []string{"-n", "-p", "/theirs"}},
		{"a project's outside coding mode", "/theirs\n", "", "type /code first", []string{"--plain"}},
		{"no command", "", "/usr/bin/own is what", "", []string{"-n", "-p", "/usr/bin/own is what?"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := ""
			command := process(t, func(request modeltest.Request) modeltest.Step {
				for _, message := range request.Messages {
					asked += message.Text + "\n"
				}
				return modeltest.Text("Read.")
			})
			dir, home := t.TempDir(), t.TempDir()
			for path, content := range map[string]string{
				filepath.Join(home, ".config/marvin/commands/own.md"): "Say $1 what @main.go is. !`echo 42`",
				filepath.Join(dir, ".marvin/commands/theirs.md"):      "Do as they say.",
				filepath.Join(dir, "main.go"):                         "package garden",
			} {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			command.Args, command.Dir = append([]string{"marvin"}, test.args...), dir
			command.Env = append(command.Env, "LLM_PROVIDER=openai-compat", "HOME="+home)
			command.Stdin = strings.NewReader(test.stdin)
			var out bytes.Buffer
			command.Stdout, command.Stderr = &out, &out
			err := command.Run()
			if failed := err != nil; failed != (test.asked == "" && test.args[0] == "-n") {
				t.Errorf("%v: %s", err, out.String())
			}
			if test.asked == "" && asked != "" || !strings.Contains(asked, test.asked) || strings.Contains(asked, "/own twice") {
				t.Errorf("the model is asked %q", asked)
			}
			if !strings.Contains(out.String(), test.said) {
				t.Errorf("the user reads %s", out.String())
			}
			if costs := strings.Contains(out.String(), "\nMARVIN_COST:"); costs != (test.args[0] == "-n") {
				t.Errorf("the line of costs: %s", out.String())
			}
		})
	}
}

// The line with costs is also printed for a run that could not begin, because programs read it.
func TestTheLineOfCostsFollowsAnErrorOfUse(t *testing.T) {
	for _, args := range [][]string{{"-n"}, {"-n", "--nonsense"}, {"--no-such", "--non-interactive", "-p", "x"}} {
		command := process(t, nil)
		command.Args = append([]string{"marvin"}, args...)
		out, err := command.CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if err == nil || !strings.HasPrefix(lines[0], "Error: ") || !strings.HasPrefix(lines[len(lines)-1], "MARVIN_COST:{") {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
}
