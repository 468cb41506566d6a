package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"marvin/actors/actorstest"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
)

// console is a world with its own files, in which commands run one after the other.
type console struct {
	t      *testing.T
	top    string // its home is home, the project is project
	model  string // the address of a server of models
	played string // the directory of the programs that [TestMain] plays
	clean  []shortened
	now    time.Time // of the last command; each is a minute behind the one before
}

// shortened is a text that differs from run to run, with its placeholder in the expected output.
type shortened struct {
	shape *regexp.Regexp
	text  string
}

// TestConsole runs testdata/console. A "$" line is a command line. Variables precede it; "<" names
// a file for standard input, and "<<" a file that is typed at a terminal. Below it are standard
// output, standard error after "!", and the exit code unless it is 0. A "%" line writes, removes or
// shows a file. UPDATE_GOLDEN=1 rewrites the files.
func TestConsole(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "console", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal("there is nothing to play", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := openConsole(t, archive.Files).play(string(archive.Comment))
			if os.Getenv("UPDATE_GOLDEN") == "1" {
				archive.Comment = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := strings.Split(string(archive.Comment), "\n")
			for n, line := range strings.Split(got, "\n") {
				if n >= len(want) || line != want[n] {
					t.Fatalf("%s:%d: it is now\n%s", file, n+1, line)
				}
			}
			if len(got) != len(archive.Comment) {
				t.Errorf("%s has more lines than it plays", file)
			}
		})
	}
}

func openConsole(t *testing.T, files []txtar.File) *console {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server, err := exec.LookPath("mcp-server")
	if err != nil {
		t.Fatal(err)
	}
	model := modeltest.StartFunc(t, func(asked modeltest.Request) modeltest.Step {
		return modeltest.Text(asked.Model + " answers: " + asked.Last().Text + "\n")
	})
	model.Install(modeltest.Local{Name: "qwen3:4b"}, modeltest.Local{Name: "tiny:latest", Can: []string{"completion"}, Parameters: "num_ctx 4096"})
	c := &console{t: t, model: model.URL, top: top, played: filepath.Dir(server), now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	for _, dir := range []string{"home", "project", "bin"} {
		if err := os.Mkdir(filepath.Join(top, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"sh", "cat", "wc", "tr", "sed"} { // of this machine nothing else is known
		path, err := exec.LookPath(program)
		if err == nil {
			err = os.Symlink(path, filepath.Join(top, "bin", program))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		c.write(file.Name, file.Data)
	}
	c.clean = []shortened{
		{regexp.MustCompile(regexp.QuoteMeta(c.model)), "SERVED"},
		{regexp.MustCompile(regexp.QuoteMeta(strings.TrimPrefix(c.model, "http://"))), "SERVED"},
		{regexp.MustCompile(regexp.QuoteMeta(top)), "TOP"},
		{regexp.MustCompile(regexp.QuoteMeta(c.played)), "PLAYED"},
		{regexp.MustCompile(`\b\d{8}-\d{6}-[0-9a-z]{4,}\b`), "SESSION"},
		{regexp.MustCompile(`\bproject-[0-9a-f]{8}\b`), "project-SUM"},
		{regexp.MustCompile(`(2026-0\d-\d\d|\d+ May) \d\d:\d\d`), "LOCAL TIME"}, // this machine's
		{regexp.MustCompile(`go1\.\S+ linux/\w+`), "GO"},
		{regexp.MustCompile(`(?m)^( +)[-+]( sandbox  ).*(\n +mend: .*)?$`), "$1?$2"},           // what this machine has of one
		{regexp.MustCompile(`(?m)^(  \[System\]|!) the server \w+: nobody can type .*\n`), ""}, // it comes when it comes
		{regexp.MustCompile(`(?m)about [\d,]+ tokens:$|^ +[\d,]+  system`), "SO MANY TOKENS"},
		{regexp.MustCompile(`(?m)\b0\.0\d{2,}|[\d,]+ tokens in|\d+ round trips$|"input_tokens":\d{3,}`), "SO MUCH"}, // what is sent has the directory in it
		{regexp.MustCompile(`\d+ bytes  version`), "SOME bytes  version"},
		{regexp.MustCompile(`client is closing: (EOF|write \|1: broken pipe)`), "client is closing: ENDED"}, // whichever was first
		{regexp.MustCompile(`did not start: (it closed the connection|write \|1: broken pipe);`), "did not start: ENDED;"},
		{regexp.MustCompile(`\b\d+(\.\d+)?(ms|µs|ns)\b`), "SOON"},
	}
	return c
}

func (c *console) write(name string, content []byte) {
	c.t.Helper()
	path, mode := filepath.Join(c.top, name), fs.FileMode(0o600)
	if bytes.HasPrefix(content, []byte("#!")) {
		mode = 0o700
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := disktest.WriteProgram(path, []byte(c.whole(string(content), "$")), mode); err != nil {
		c.t.Fatal(err)
	}
}

// whole replaces texts that differ from run to run by placeholders.
func (c *console) whole(text, mark string) string {
	return strings.NewReplacer(mark+"TOP", c.top, mark+"SERVED", c.model).Replace(text)
}

// play runs the marked lines and returns them with their output.
func (c *console) play(script string) string {
	var paper strings.Builder
	for line := range strings.Lines(script) {
		text := strings.TrimSuffix(line, "\n")
		mark, rest, _ := strings.Cut(text, " ")
		switch mark {
		case "#":
			paper.WriteString("\n" + line)
		case "$":
			paper.WriteString(line + c.shorten(c.marvin(rest)))
		case "%":
			paper.WriteString(line + c.shorten(c.between(strings.Fields(rest))))
		}
	}
	return strings.TrimPrefix(paper.String(), "\n")
}

func (c *console) shorten(text string) string {
	for _, each := range c.clean {
		text = each.shape.ReplaceAllString(text, each.text)
	}
	return text
}

// marvin runs one command line.
func (c *console) marvin(line string) string {
	c.t.Helper()
	environ := []string{"HOME=" + filepath.Join(c.top, "home"), "PATH=" + filepath.Join(c.top, "bin") + ":" + c.played, "TERM=dumb", "LANG=C.UTF-8", "LLM_PROVIDER=offline", sandboxHere()}
	for _, name := range []string{"OPENAI_COMPAT", "OLLAMA", "LMSTUDIO", "LLAMACPP", "VLLM"} { // whatever answers on this machine
		environ = append(environ, name+"_URL=http://127.0.0.1:1/v1")
	}
	var args []string
	stdin, input := os.DevNull, (*os.File)(nil)
	var read, stderr bytes.Buffer
	stdout := io.Writer(&read)
	for _, word := range shellWords(line) {
		name, _, sets := strings.Cut(word, "=")
		switch {
		case sets && len(args) == 0 && strings.ToUpper(name) == name:
			environ = append(environ, c.whole(word, ""))
		case strings.HasPrefix(word, "<<"):
			input = c.typed(word[2:])
		case word == ">full": // a disk without room
			stdout = c.full()
		case strings.HasPrefix(word, "<"):
			stdin = filepath.Join(c.top, word[1:])
		default:
			args = append(args, c.whole(word, ""))
		}
	}
	if input == nil {
		var err error
		if input, err = os.Open(stdin); err != nil {
			c.t.Fatal(err)
		}
	}
	defer input.Close()
	getenv := func(name string) string {
		for _, set := range slices.Backward(environ) {
			if value, is := strings.CutPrefix(set, name+"="); is {
				return value
			}
		}
		return ""
	}
	c.now = c.now.Add(time.Minute)
	now := c.now
	ctx, stop := context.WithTimeout(c.t.Context(), actorstest.Patience)
	defer stop()
	if form := getenv("GO_FLAGS_COMPLETION"); form != "" { // a shell asks, which the process itself hears
		c.t.Run("completed", func(t *testing.T) {
			t.Setenv("GO_FLAGS_COMPLETION", form)
			t.Setenv("HOME", filepath.Join(c.top, "home"))
			t.Setenv("XDG_DATA_HOME", "")
			if code := run(ctx, args, cli.World{Stdout: stdout, Stderr: &stderr, Getenv: getenv}); code != 0 {
				t.Errorf("%q ends with %d: %s", args, code, stderr.String())
			}
		})
		return onPaper("  ", read.String())
	}
	code := run(ctx, args, cli.World{
		Home: getenv("HOME"), Dir: filepath.Join(c.top, "project"), Environ: environ, Getenv: getenv,
		Now: func() time.Time { return now }, Stdin: input, Stdout: stdout, Stderr: &stderr,
	})
	text := onPaper("  ", read.String()) + onPaper("! ", stderr.String())
	if code != 0 {
		text += fmt.Sprintf("= exit code %d\n", code)
	}
	return text
}

// typed returns a terminal that receives a file as typed input.
func (c *console) typed(name string) *os.File {
	c.t.Helper()
	lines, err := os.ReadFile(filepath.Join(c.top, name))
	if err != nil {
		c.t.Fatal(err)
	}
	master, slave := openPty(c.t)
	if _, err := master.Write(lines); err != nil {
		c.t.Fatal(err)
	}
	return slave
}
