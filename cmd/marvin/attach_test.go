package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/host"
	"marvin/providers/modeltest"
)

func TestMentionedFilesAreAttached(t *testing.T) {
	var asked []string
	command := process(t, func(request modeltest.Request) modeltest.Step {
		var all strings.Builder
		for _, message := range request.Messages {
			all.WriteString(message.Text + "\n")
		}
		asked = append(asked, all.String())
		return modeltest.Text("Read.")
	})
	dir := t.TempDir()
	for name, content := range map[string]string{
		"main.go": "package garden // roses\n", ".gitignore": "*.log\n", "own.log": "NOT FOR OTHERS", "sub/leaf.txt": "leaf",
		"large.txt": strings.Repeat("A LARGE LINE\n", host.AttachLimit/10),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	command.Args, command.Dir = []string{"marvin", "--plain"}, dir
	command.Env = append(command.Env, "LLM_PROVIDER=openai-compat")
	command.Stdin = strings.NewReader("explain @main.go, @sub/ @own.log and @large.txt\n")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if len(asked) == 0 || !strings.Contains(asked[0], "package garden // roses") || !strings.Contains(asked[0], "leaf.txt") {
		t.Errorf("the model was asked %d times: %.2000q", len(asked), asked)
	}
	if all := strings.Join(asked, ""); strings.Contains(all, "NOT FOR OTHERS") || strings.Contains(all, "A LARGE LINE") {
		t.Errorf("the model has what it should not: %.2000q", all)
	}
	for _, want := range []string{"read_file, tree", "Not attached: own.log is ignored by git; large.txt is large (", "Read."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told in %s", want, out.String())
		}
	}
}

// A role, a provider or a model at the beginning of a prompt answers only that prompt, and the
// prompt is sent without the name. If a file has that name, the file is attached. Any other name is
// an ordinary word.
func TestAModelInFrontOfAPromptAnswersIt(t *testing.T) {
	var asked []string
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if len(request.Tools) > 0 { // else it is for a title
			asked = append(asked, request.Model+": "+request.Last().Text)
		}
		return modeltest.Text("Well.")
	})
	config := filepath.Join(command.Env[0][len("HOME="):], ".config", "marvin", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{config: "roles: {small: openai-compat/little, review: openai-compat/strict}\n", filepath.Join(command.Dir, "review"): "a file"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command.Args = []string{"marvin", "--plain", "--model", "usual"}
	command.Env = append(command.Env, "LLM_PROVIDER=openai-compat")
	command.Stdin = strings.NewReader("@small who are you?\n@openai-compat/maker/large and you?\n@review it\n@nobody hello\n@small\nand now?\n")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := "little: who are you?\nmaker/large: and you?\nusual: @review it\nusual: @nobody hello\nusual: @small\nusual: and now?"
	if got := strings.Join(asked, "\n"); got != want {
		t.Errorf("asked were\n%s", got)
	}
}

func TestShellOutputComesWithNextPrompt(t *testing.T) {
	var asked []string
	command := process(t, func(request modeltest.Request) modeltest.Step {
		var all strings.Builder
		for _, message := range request.Messages {
			all.WriteString(message.Text + "\n")
		}
		asked = append(asked, all.String())
		return modeltest.Text("Read.")
	})
	command.Args = []string{"marvin", "--plain"}
	command.Env = append(command.Env, "LLM_PROVIDER=openai-compat", "ROSE_API_KEY=sk-1234567890abcdefghij")
	command.Stdin = strings.NewReader("!echo the roses are $((40+2)), $ROSE_API_KEY\nhow many?\nand now?\n")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if len(asked) < 2 || !strings.Contains(asked[0], "the user ran:\n\n$ echo the roses are $((40+2)), $ROSE_API_KEY\nthe roses are 42,") {
		t.Fatalf("the model was asked %d times: %.3000q", len(asked), asked)
	}
	if strings.Contains(asked[0], "sk-1234567890abcdefghij") || strings.Count(asked[1], "the roses are 42") != 1 {
		t.Errorf("%.3000q", asked[:2])
	}
}
