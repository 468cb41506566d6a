package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// suggested returns the completions of the last word of a line.
func suggested(t *testing.T, args ...string) []string {
	t.Helper()
	t.Setenv("GO_FLAGS_COMPLETION", "1") // go-flags completes only then
	var out bytes.Buffer
	if err := suggest(args, "1", &out); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return strings.Fields(out.String())
}

func TestCompletionKnowsValuesToolsAndParameters(t *testing.T) {
	for line, want := range map[string]string{
		"--approve |":                          "plan ask edits auto all",
		"--approve=a|":                         "--approve=ask --approve=auto --approve=all",
		"batch x --sandbox w|":                 "workspace",
		"--provider o|":                        "openai openai-compat openrouter ollama offline",
		"--provider groq --model |":            "llama-3.3-70b-versatile",
		"--model qwen/|":                       "qwen/qwen3-32b",
		"--output j|":                          "json jsonl",
		"completion |":                         "bash fish zsh",
		"permissions |":                        "explain try",
		"do|":                                  "doctor",
		"fix the do|":                          "", // a prompt
		"--working-dir |":                      "", // a file
		"-p |":                                 "",
		"tool read_f|":                         "read_file",
		"tool read_file path=a |":              "end_line= start_line=",
		"tool read_file path=|":                "", // a file
		"tool list_places |":                   "",
		"tool no_such_tool |":                  "",
		"permissions explain --tool git_comm|": "git_commit",
		"permissions explain spotify_a|":       "spotify_add_tracks spotify_auth",
		"permissions try |":                    "allow: ask: deny:",
		"permissions try d|":                   "deny:",
		"permissions try ask:write_n|":         "ask:write_note",
	} {
		words := strings.Split(strings.TrimSuffix(line, "|"), " ")
		if got := strings.Join(suggested(t, words...), " "); got != want {
			t.Errorf("marvin %s: %q, want %q", line, got, want)
		}
	}
	if got := suggested(t); !slices.Contains(got, "tool") || slices.Contains(got, "ring-alarm") {
		t.Errorf("commands %q", got)
	}
	if got := suggested(t, "tool", "run_command", "background="); !slices.Equal(got, []string{"background=true", "background=false"}) && !slices.Equal(got, []string{"background=false", "background=true"}) {
		t.Errorf("yes and no: %q", got)
	}
}

func TestCompletionKnowsTheConversationsThatAreKept(t *testing.T) {
	home := t.TempDir()
	begin := exec.Command(os.Args[0], "-n", "--provider", "offline", "--session", "trip", "-p", "convert 12 km to miles")
	begin.Args[0], begin.Dir = "marvin", t.TempDir()
	begin.Env = []string{"HOME=" + home, sandboxHere(), "PATH=" + os.Getenv("PATH")}
	if out, err := begin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_DATA_HOME", "")
	if got := suggested(t, "--session=tr"); !slices.Equal(got, []string{"--session=trip"}) {
		t.Errorf("by name: %q", got)
	}
	if got := suggested(t, "--resume", ""); len(got) != 1 || !strings.HasPrefix(got[0], "20") {
		t.Errorf("by id: %q", got)
	}
	var told bytes.Buffer
	if err := suggest([]string{"--fork", ""}, "described", &told); err != nil || !strings.HasSuffix(told.String(), "\ttrip\n") {
		t.Errorf("%q, %v", told.String(), err)
	}
}

// Completion works in this shell, at a terminal, with the Tab key.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	p := openPane(t, 100, 30)
	p.press(`eval "$(marvin completion bash)"; bind 'set show-all-if-ambiguous on'; touch zebra.txt`, "Enter")
	p.clear()
	completes(p)
}

func TestCompletionInZsh(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("zsh"); err != nil {
		t.Skip("no zsh")
	}
	p := openPane(t, 100, 30)
	p.press(`mkdir f; marvin completion zsh > f/_marvin; touch zebra.txt; PS1='$ ' FPATH=$PWD/f:$(zsh -fc 'echo $FPATH') zsh -f`, "Enter")
	p.press(`PS1='$ '; autoload -Uz compinit; compinit -u -D; setopt no_beep no_list_beep`, "Enter")
	p.clear()
	completes(p)
}

// completes presses Tab after values, tools, parameters and file names.
func completes(p *pane) {
	p.t.Helper()
	p.press("marvin --approve ", "Tab")
	p.sees("plan", "ask", "edits", "auto", "all")
	p.press("pl", "Tab")
	p.sees("marvin --approve plan")
	p.press("C-u")
	p.clear()
	p.press("marvin --approve=pl", "Tab")
	p.sees("marvin --approve=plan")
	p.press("C-u", "marvin tool git_", "Tab")
	p.sees("git_commit", "git_status")
	p.press("C-u")
	p.clear()
	p.press("marvin tool read_fi", "Tab", "pa", "Tab", "zeb", "Tab")
	p.sees("marvin tool read_file path=zebra.txt")
	p.press("C-u", "marvin --prompt-file zeb", "Tab")
	p.sees("marvin --prompt-file zebra.txt")
}

func TestCompletionInFish(t *testing.T) {
	t.Parallel()
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("no fish")
	}
	dir := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "marvin")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "zebra.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"marvin --approve ":                "all\nask\nauto\nedits\nplan",
		"marvin --approve=pl":              "--approve=plan",
		"marvin tool git_com":              "git_commit\twrites",
		"marvin help san":                  "sandbox",
		"marvin help sess":                 "sessions",
		"marvin login gem":                 "gemini",
		"marvin tool read_file pa":         "path=\tThe file, relative to the working directory",
		"marvin tool read_file path=zeb":   "path=zebra.txt",
		"marvin --prompt-file zeb":         "zebra.txt",
		"marvin permissions explain git_b": "git_blame\treads\ngit_branch\treads",
	} {
		command := exec.Command(fish, "--no-config", "-c", `source (marvin completion fish | psub); complete -C "$argv"`, line)
		command.Dir, command.Env = dir, []string{"HOME=" + dir, "PATH=" + dir + ":" + os.Getenv("PATH"), "LANG=C.UTF-8"}
		out, err := command.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %q, want %q (%v)", line, got, want, err)
		}
	}
}

func TestMakeInstallAndUninstall(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"make", "install"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "marvin")
	if err := os.Symlink(os.Args[0], binary); err != nil {
		t.Fatal(err)
	}
	files := func(target string) (list []string) {
		command := exec.Command("make", "-o", "build", target, "BINARY="+binary, "DESTDIR="+dir+"/stage", "PREFIX=/opt/it")
		command.Dir = filepath.Join("..", "..")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", target, err, out)
		}
		_ = filepath.WalkDir(filepath.Join(dir, "stage"), func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				list = append(list, strings.TrimPrefix(path, filepath.Join(dir, "stage", "opt", "it")+"/"))
			}
			return nil
		})
		return list
	}
	want := []string{
		"bin/marvin", "share/bash-completion/completions/marvin", "share/fish/vendor_completions.d/marvin.fish",
		"share/man/man1/marvin.1", "share/zsh/site-functions/_marvin",
	}
	if got := files("install"); !slices.Equal(got, want) {
		t.Errorf("installed %q", got)
	}
	page, err := os.ReadFile(filepath.Join(dir, "stage/opt/it/share/man/man1/marvin.1"))
	if err != nil || string(page) != manualPage() {
		t.Errorf("manual page: %v", err)
	}
	if left := files("uninstall"); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

func TestTheManualHasEveryOptionAndCommand(t *testing.T) {
	text := manualPage()
	if _, err := exec.LookPath("mandoc"); err == nil {
		lint := exec.Command("mandoc", "-T", "lint", "-W", "warning")
		lint.Stdin = strings.NewReader(text)
		out, _ := lint.CombinedOutput()
		for line := range strings.Lines(string(out)) {
			if !strings.Contains(line, "missing date") { // so that two builds are alike
				t.Error(line)
			}
		}
	}
	shown := strings.NewReplacer(`\fB`, "", `\fI`, "", `\fR`, "", `\-`, "-").Replace(text)
	parser := newParser(&commands{})
	for _, option := range parser.Groups()[0].Options() {
		if !option.Hidden && !strings.Contains(shown, "--"+option.LongName) {
			t.Errorf("--%s is not in the manual page", option.LongName)
		}
	}
	for _, command := range parser.Commands() {
		if strings.Contains(shown, "\nmarvin "+command.Name) == command.Hidden {
			t.Errorf("marvin %s, hidden %t", command.Name, command.Hidden)
		}
	}
	if !strings.Contains(shown, "--approve plan|ask|edits|auto|all") {
		t.Error("the values of --approve are not in the manual page")
	}
}

func TestRoffKeepsTextAsItIs(t *testing.T) {
	if got := roff(".x\n'y' `z` \\fB --w\n~ ^"); got != "\\&.x\n\\(aqy\\(aq \\(gaz\\(ga \\efB \\-\\-w\n\\(ti \\(ha" {
		t.Errorf("%q", got)
	}
}
