package main

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/term"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// steers contains every way in which text can control a terminal or hide on it. It ends with a word
// that must be displayed.
const steers = "\x1b]0;title\x07\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\\x1b]52;c;aGk=\x07" +
	"\x1b[31m\x1b[2J\x1b[1;1H\x1bP1$q\x1b\\\x1bc\x07\b\x7f\u009b32m\u009d0;c1\u009c\u0085" +
	"\u202eolleh\u202c\u2066\u2069\u200f\u061c\U000E0041\U000E007F\u200b\ufeff\u2060\u00ad visible"

// stranger answers like a hostile model: with hostile text around a call, and with a call of a tool
// with a hostile name.
func stranger(request modeltest.Request) modeltest.Step {
	if request.Last().Role == messages.Tool {
		return modeltest.Text("finally " + steers)
	}
	if request.Last().Text == "fail" {
		return modeltest.Status(400, `{"error":{"message":"no: `+strings.NewReplacer("\x1b", `\u001b`, "\a", `\u0007`, "\b", `\b`).Replace(steers)+`"}}`)
	}
	half, name := len(steers)/2, "tree"
	if request.Last().Text == "name" {
		name = "tool" + steers
	}
	return modeltest.Text("first "+steers[:3], steers[3:half], steers[half:]).Append(modeltest.Calls(modeltest.Call{Name: name, Args: "{}"}))
}

// scene is a home and a project full of hostile names and texts, with a hostile model.
type scene struct{ dir, home, url string }

func newScene(t *testing.T) scene {
	t.Helper()
	listening := httptest.NewServer(modeltest.New(stranger))
	t.Cleanup(listening.Close)
	s := scene{t.TempDir(), t.TempDir(), listening.URL}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("file.txt", "first\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=n" + steers, "-c", "user.email=a@b.example", "commit", "-q", "-m", "commit " + steers}} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = s.dir, s.environ()
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write("file.txt", "line "+steers+"\xff\x9b31m\n")
	prompts := ""
	for _, prompt := range []string{"go", "fail"} {
		line, err := json.Marshal(map[string]string{"id": prompt + steers, "prompt": prompt})
		if err != nil {
			t.Fatal(err)
		}
		prompts += string(line) + "\n"
	}
	write("prompts.jsonl", prompts)
	write("talk.txt", "go\n/export talk.md\n/export talk.json\nquit\n")
	write("rpc.txt", `{"type":"line","op":{"text":"go"}}`+"\n"+`{"type":"nothing`+steers[len(steers)-40:]+`"}`+"\n")
	return s
}

func (s scene) environ(more ...string) []string {
	return append([]string{
		"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", sandboxHere(),
		"OPENAI_COMPAT_URL=" + s.url + "/v1", "OPENAI_COMPAT_API_KEY=key-of-the-scene", "LLM_PROVIDER=openai-compat",
	}, more...)
}

// path is a way on which hostile text can reach a terminal.
type path struct {
	name  string
	args  []string
	stdin string // a file of the project; "" for none
	env   []string
	says  string // arrives on the terminal
}

var paths = []path{
	{"text", []string{"-n", "-p", "go"}, "", nil, "finally ]0;title"},
	{"the name of a tool", []string{"-n", "-p", "name"}, "", nil, "🔧 tool]0;title"},
	{"json", []string{"-n", "-p", "go", "--output", "json"}, "", nil, `"outcome":"completed"`},
	{"jsonl", []string{"-n", "-p", "go", "--output", "jsonl"}, "", nil, `"type":"tools_called"`},
	{"read_file", []string{"tool", "read_file", "path=file.txt"}, "", nil, "visible"},
	{"code_grep", []string{"tool", "code_grep", "pattern=line"}, "", nil, "visible"},
	{"git_log", []string{"tool", "git_log"}, "", nil, "visible"},
	{"git_diff", []string{"tool", "git_diff"}, "", nil, "visible"},
	{"git_blame", []string{"tool", "git_blame", "path=file.txt"}, "", nil, "visible"},
	{"run_command", []string{"tool", "run_command", "command=cat file.txt >&2; cat file.txt"}, "", nil, "visible"},
	{"a tool that fails", []string{"tool", "read_file", "path=" + steers}, "", nil, "visible"},
	{"a tool that is not there", []string{"tool", "x" + steers}, "", nil, "there is no tool called"},
	{"--model", []string{"-n", "-p", "go", "--model", "m" + steers}, "", nil, "visible"},
	{"--provider", []string{"-n", "-p", "go", "--provider", "p" + steers}, "", nil, "visible"},
	{"--working-dir", []string{"-n", "-p", "go", "--working-dir", "/" + steers}, "", nil, "visible"},
	{"--prompt-file", []string{"-n", "--prompt-file", steers}, "", nil, "visible"},
	{"an unknown option", []string{"--" + steers}, "", nil, "there is no option"},
	{"MARVIN_SILENCE_TIMEOUT", []string{"-n", "-p", "go"}, "", []string{"MARVIN_SILENCE_TIMEOUT=" + steers}, "Error:"},
	{"doctor", []string{"doctor"}, "", []string{"MARVIN_HOSTS=" + steers}, "visible"},
	{"permissions", []string{"permissions", "explain", "echo " + steers}, "", nil, "visible"},
	{"completion", []string{"completion", steers}, "", nil, "visible"},
	{"batch", []string{"batch", "prompts.jsonl"}, "", nil, `"outcome":`},
	{"batch without results", []string{"batch", "prompts.jsonl", "--output", "/dev/null"}, "", nil, "completed"},
	{"an error of the model", []string{"-n", "-p", "fail"}, "", nil, "visible"},
	{"rpc", []string{"rpc"}, "rpc.txt", nil, `"type":"closed"`},
	{"lines", []string{"--plain"}, "talk.txt", nil, "finally ]0;title"},
}

// command returns the program in the scene, without its streams.
func (s scene) command(path path) *exec.Cmd {
	command := exec.Command(os.Args[0], path.args...)
	command.Args[0] = "marvin"
	command.Dir, command.Env = s.dir, s.environ(path.env...)
	return command
}

// onTerminal returns the bytes that arrive at a terminal that changes nothing on the way.
func (s scene) onTerminal(t *testing.T, path path) string {
	t.Helper()
	master, slave := openPty(t)
	if _, err := term.MakeRaw(int(slave.Fd())); err != nil {
		t.Fatal(err)
	}
	command := s.command(path)
	command.Stdout, command.Stderr = slave, slave
	if path.stdin != "" {
		input, err := os.Open(filepath.Join(s.dir, path.stdin))
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		command.Stdin = input
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	shown := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(master) // EIO once the other side is closed
		shown <- all
	}()
	waitFor(t, command)
	slave.Close()
	return string(<-shown)
}
