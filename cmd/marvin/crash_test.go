package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/sessions"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
)

// crashing is a home in which Marvins are killed at random moments.
type crashing struct {
	t    *testing.T
	home string
	dir  string
	turn int // the number of the last prompt that was sent
	told int // number of turn_ended events

	// span is the maximum time after which a Marvin is killed: a few turns, however long a turn
	// takes on this machine. It is set when the first turn has ended.
	span time.Duration
}

// remembers is a model that answers "turn 12" with a command that has this side effect, and then
// with words.
func remembers(request modeltest.Request) modeltest.Step {
	if request.Last().Role == messages.Tool {
		return modeltest.Text("answer ", "to it")
	}
	number := strings.TrimPrefix(request.Last().Text, "turn ")
	return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo " + number + " >> effects"}})
}

func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	rounds := 50
	if testing.Short() {
		rounds = 15
	}
	if text := os.Getenv("CRASH_ROUNDS"); text != "" {
		rounds = atoi(t, text)
	}
	like := process(t, remembers)
	c := &crashing{t: t, home: strings.TrimPrefix(like.Env[0], "HOME="), dir: like.Dir}
	server := httptest.NewServer(modeltest.New(remembers))
	t.Cleanup(server.Close)
	begun := time.Now()
	for range rounds {
		c.round(server.URL)
		if t.Failed() {
			break
		}
	}
	c.check()
	t.Logf("%d kills, %d turns begun, %d told to have ended, all kept; %s a round", rounds, c.turn, c.told, (time.Since(begun) / time.Duration(rounds)).Round(time.Millisecond))
	if c.told == 0 || c.told == c.turn {
		t.Error("no turn ended, or none was cut off: the test is broken")
	}
}

// round sends prompts until Marvin is killed at a random moment.
func (c *crashing) round(server string) {
	c.t.Helper()
	command := process(c.t, remembers)
	command.Args = []string{"marvin", "rpc", "--provider", "openai-compat", "--working-dir", c.dir, "--session", "crashing"}
	command.Env[0] = "HOME=" + c.home
	for i, variable := range command.Env {
		if strings.HasPrefix(variable, "OPENAI_COMPAT_URL=") {
			command.Env[i] = "OPENAI_COMPAT_URL=" + server + "/v1"
		}
	}
	in, err := command.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		c.t.Fatal(err)
	}
	defer command.Wait()
	lines := json.NewDecoder(out)
	kill := time.AfterFunc(patience, func() { command.Process.Kill() })
	defer kill.Stop()
	killSoon := func() {
		if c.span > 0 {
			kill.Reset(time.Duration(rand.Int64N(int64(c.span))))
		}
	}
	var opened time.Time
	for {
		var line heard
		if lines.Decode(&line) != nil {
			return // it was killed
		}
		switch line.Type {
		case "opened":
			opened = time.Now()
			killSoon()
			fmt.Fprintln(in, c.prompt())
		case "asked":
			fmt.Fprintf(in, `{"type":"answer","op":{"ask":%q,"choice":"yes"}}`+"\n", line.Event.Ask)
		case "turn_ended":
			if line.Event.Outcome != "completed" {
				c.t.Errorf("turn %d ended %s", c.turn, line.Event.Outcome)
			}
			c.told++
			if c.span == 0 {
				c.span = max(150*time.Millisecond, 3*time.Since(opened))
				killSoon()
			}
			fmt.Fprintln(in, c.prompt())
		}
	}
}

func (c *crashing) prompt() string {
	c.turn++
	return fmt.Sprintf(`{"type":"prompt","op":{"text":"turn %d"}}`, c.turn)
}

// check compares the stored documents with the events.
func (c *crashing) check() {
	home := persistence.Open(c.home, time.Now)
	entries, err := chat.New(home.Profile("default")).Tail(1 << 20)
	if err != nil {
		c.t.Error(err)
	}
	logged, answered, last := 0, 0, 0
	for _, entry := range entries {
		if entry.Text == "answer to it" {
			answered++
		}
		if number, ok := strings.CutPrefix(entry.Text, "turn "); ok {
			n, err := strconv.Atoi(number)
			if err != nil || n <= last {
				c.t.Errorf("the log has turn %q behind turn %d", number, last)
			}
			logged, last = logged+1, n
		}
	}
	if answered < c.told || logged < answered {
		c.t.Errorf("%d turns were reported as ended, the log has %d with %d answers", c.told, logged, answered)
	}
	usage, err := spending.Of(home).Usage()
	if err != nil || usage.Turns < 2*c.told {
		c.t.Errorf("the sums: %+v, %v", usage, err)
	}
	c.effects(answered)
	c.kept(home)
	c.litter()
}

// kept compares a stored conversation with the events. Each Marvin resumes it after the previous
// Marvin was killed. No finished round may be missing, and every command that ran must be known.
func (c *crashing) kept(home *persistence.Home) {
	list, err := sessions.New(home).List()
	if err != nil || len(list) != 1 || list[0].Name != "crashing" {
		c.t.Fatalf("%d conversations are kept: %+v, %v", len(list), list, err)
	}
	_, branch, err := sessions.New(home).Branch(list[0].ID, 0, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	ended, results := 0, 0
	intended := map[string]bool{}
	for _, entry := range branch {
		var step struct {
			Outcome  string
			Text     string
			Messages []struct{ Result struct{ Text string } }
			Args     string // of a call that begins
		}
		if err := json.Unmarshal(entry.Body, &step); err != nil && entry.Kind != "tools" {
			c.t.Errorf("entry %d: %v", entry.ID, err)
		}
		if step.Outcome == "completed" && step.Text == "answer to it" {
			ended++
		}
		for _, message := range step.Messages {
			if message.Result.Text != "" {
				results++
			}
		}
		var args struct{ Command string }
		if entry.Kind == "intent" && json.Unmarshal([]byte(step.Args), &args) == nil {
			intended[strings.Fields(args.Command)[1]] = true
		}
	}
	if ended < c.told || results < ended {
		c.t.Errorf("%d turns were reported as ended, the conversation has %d with %d results", c.told, ended, results)
	}
	content, err := os.ReadFile(filepath.Join(c.dir, "effects"))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, number := range strings.Fields(string(content)) {
		if !intended[number] {
			c.t.Errorf("the command of turn %s ran and is not in the conversation", number)
		}
	}
}

func (c *crashing) effects(answered int) {
	content, err := os.ReadFile(filepath.Join(c.dir, "effects"))
	if err != nil {
		c.t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, number := range strings.Fields(string(content)) {
		if seen[number] {
			c.t.Errorf("the command of turn %s ran twice", number)
		}
		seen[number] = true
	}
	if len(seen) < answered {
		c.t.Errorf("%d turns were answered, %d commands ran", answered, len(seen))
	}
}

func (c *crashing) litter() {
	var temporary []string // each stored file can have one, which its next write replaces
	if err := filepath.WalkDir(c.home, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".tmp"):
			temporary = append(temporary, path)
		case strings.Contains(path, ".damaged"):
			content, _ := os.ReadFile(path)
			c.t.Errorf("%s was damaged: %q", path, content)
		}
		return nil
	}); err != nil {
		c.t.Error(err)
	}
	if len(temporary) > 4 {
		c.t.Errorf("temporary files are left: %q", temporary)
	}
}
