package actors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/ask"
	"marvin/tools/files"
	"marvin/tools/plan"
)

// A story has files of the project and the requests of a program, each with the event that ends
// the reading: "< turn_ended {…}". The events follow each request; at the end come the messages of
// the last model request. The prompt says what the model does: the JSON of calls, or words to
// answer.
func TestStories(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "stories", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := newStory(t, string(content)).tell(string(content))
			goldentest.Assert(t, filepath.Join("stories", filepath.Base(path)), got, os.Getenv("UPDATE_GOLDEN") != "")
		})
	}
}

// story is a parsed file of testdata/stories.
type story struct {
	workplace
	t       *testing.T
	asked   string   // the last question
	entries []string // the entries of the log that events named
	setup   actorstest.Setup
}

// newStory begins a conversation as the first line says.
func newStory(t *testing.T, script string) *story {
	t.Helper()
	first, _, _ := strings.Cut(script, "\n")
	policy := &actors.Policy{Coding: !strings.Contains(first, "plain"), Person: !strings.Contains(first, "headless"), Approval: messages.ApproveEdits}
	for _, approval := range messages.Approvals() {
		if strings.Contains(first, "approval "+string(approval)) {
			policy.Approval = approval
		}
	}
	s := &story{t: t, setup: actorstest.Setup{Policy: policy, Server: modeltest.StartFunc(t, storied)}}
	if strings.Contains(first, "kept") {
		s.setup.Keep = begins
	}
	s.setup.Dir, s.setup.Home = t.TempDir(), t.TempDir()
	for line := range strings.Lines(script) { // "= PATH TEXT" is a file
		if rest, is := strings.CutPrefix(strings.TrimSpace(line), "= "); is {
			name, text, _ := strings.Cut(rest, " ")
			s.write(name, strings.ReplaceAll(text, `\n`, "\n"))
		}
	}
	s.begin()
	return s
}

// write writes a file of the project, or of the home directory if the name begins with ~/.
func (s *story) write(name, text string) {
	path := filepath.Join(s.setup.Dir, name)
	if below, home := strings.CutPrefix(name, "~/"); home {
		path = filepath.Join(s.setup.Home, below)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) begin() {
	s.workplace = atWork(s.t, s.setup, append(append(append(files.Tools(), plan.Tools()...), ask.Tools()...), say(), jot(), delegate(2, 1, nil), breaking())...)
	s.setup.Home, s.setup.Dir = s.home, s.dir
}

// breaking is a tool that fails with an error.
func breaking() tools.Tool {
	return tool("fail", func(context.Context, tools.Env) (tools.Output, error) {
		return tools.Output{}, errors.New("it is broken")
	})
}

// storied answers as its prompt says.
func storied(request modeltest.Request) modeltest.Step {
	text := request.Last().Text
	text = text[strings.LastIndex("\n\n"+text, "\n\n"):]
	results := resultsIn(request)
	switch {
	case len(results) > 0:
		return modeltest.Text("It says: ", results[len(results)-1])
	case text == "refuse":
		return modeltest.Status(401, `{"error":{"message":"no key"}}`)
	case text == "break":
		return modeltest.Status(500, "broken")
	case text == "nothing":
		return modeltest.Text("")
	case strings.HasPrefix(text, "think"):
		return modeltest.Think("Hm, ", "well.").Append(modeltest.Text("I thought."))
	}
	return callsAsPrompted(request)
}

// tell runs the story and writes it.
func (s *story) tell(script string) string {
	var out strings.Builder
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "> ") {
			continue
		}
		out.WriteString(line)
		if name, made := strings.CutPrefix(strings.TrimSpace(line), "+ "); made {
			s.write(name, "")
		}
		if name, gone := strings.CutPrefix(strings.TrimSpace(line), "- "); gone {
			if err := os.RemoveAll(filepath.Join(s.dir, name)); err != nil {
				s.t.Fatal(err)
			}
		}
		rest, sent := strings.CutPrefix(strings.TrimSpace(line), "< ")
		if !sent {
			continue
		}
		until, op, _ := strings.Cut(rest, " ")
		if op == "resume" {
			if err := s.System.Stop(); err != nil {
				s.t.Fatal(err)
			}
			s.setup.Keep = goesOn(s.t)
			s.begin()
		} else if op != "" {
			s.send(op)
		}
		for _, told := range s.until(until) {
			out.WriteString("> " + told + "\n")
		}
	}
	for _, line := range s.ordered(s.remembered()) {
		out.WriteString("> " + line + "\n")
	}
	return out.String()
}

// remembered returns the last model request without the system text.
func (s *story) remembered() (lines []string) {
	requests := s.server.Requests()
	for _, message := range requests[len(requests)-1].Messages {
		line := "the model: " + string(message.Role) + " " + message.Text + message.Result.Text
		for _, call := range message.Calls {
			line += " " + call.Name + " " + string(call.Args)
		}
		if message.Role != messages.System {
			lines = append(lines, line)
		}
	}
	return lines
}

func (s *story) send(op string) {
	var request messages.Request
	if err := json.Unmarshal([]byte(strings.NewReplacer("$ask", s.asked, "$dir", s.dir, "$first", s.begun(0), "$last", s.begun(-1)).Replace(op)), &request); err != nil {
		s.t.Fatalf("%s: %v", op, err)
	}
	s.Client.Send(request)
}

// begun returns the id of a stored conversation, in the order in which they began; a negative place
// counts from the last one.
func (s *story) begun(place int) string {
	list, err := sessions.New(persistence.Open(s.home, time.Now)).List()
	if err != nil || len(list) == 0 {
		return ""
	}
	slices.SortFunc(list, func(a, b sessions.Info) int { return a.Created.Compare(b.Created) })
	return list[(place+len(list))%len(list)].ID
}

// until reads up to an event and returns the events. "now" returns only those that have already
// arrived.
func (s *story) until(name string) (lines []string) {
	s.t.Helper()
	if name == "now" {
		s.send(`{"id":"probe","type":"cancel","op":{"request":"none"}}`)
	}
	for {
		event := actorstest.ReadUntil[messages.Event](s.Tree)
		switch event := event.(type) {
		case messages.Asked:
			s.asked = event.Ask
		case messages.AgentChanged, messages.UsageChanged: // their number is not fixed
			continue
		case messages.Text:
			lines = joined(lines, "text ", event.Chunk)
			continue
		case messages.Thinking:
			lines = joined(lines, "thinking ", event.Chunk)
			continue
		case messages.Refused:
			if event.Request == "probe" {
				return s.ordered(lines)
			}
		}
		lines = append(lines, s.line(event))
		if messages.EventName(event) == name {
			return s.ordered(lines)
		}
	}
}

// joined appends a piece of text to the previous one, because the number of pieces is not fixed.
func joined(lines []string, kind, chunk string) []string {
	if last := len(lines) - 1; last >= 0 && strings.HasPrefix(lines[last], kind) {
		lines[last] += chunk
		return lines
	}
	return append(lines, kind+chunk)
}

// ordered sorts the events of parallel calls, whose order is not fixed, and removes line breaks.
func (s *story) ordered(lines []string) []string {
	isCall := func(line string) bool {
		return slices.ContainsFunc([]string{"tool_", "asked ", "answered ", "notice ", "grants "}, func(kind string) bool { return strings.HasPrefix(line, kind) })
	}
	for from := 0; from < len(lines); from++ {
		to := from
		for to < len(lines) && isCall(lines[to]) {
			to++
		}
		slices.Sort(lines[from:to])
		from = max(from, to-1)
	}
	for i := range lines {
		lines[i] = entry.ReplaceAllStringFunc(lines[i], s.ordinal)
		lines[i] = made.ReplaceAllString(strings.NewReplacer(s.dir, "DIR", s.home, "HOME", "\n", "\\n").Replace(lines[i]), "ID")
	}
	return lines
}

// entry matches the number of a turn in the log. A record that is written outside the turns may
// come before or after a turn.
var entry = regexp.MustCompile(`"(entry|parent)":(\d+)`)

// ordinal numbers the log entries of this story in the order of their first mention.
func (s *story) ordinal(found string) string {
	key, number, _ := strings.Cut(found, ":")
	if !slices.Contains(s.entries, number) {
		s.entries = append(s.entries, number)
	}
	return fmt.Sprintf("%s:%d", key, slices.Index(s.entries, number)+1)
}

// measured are values that differ in each run.
var (
	measured = strings.Fields("at left took_ns deadline session_cost model_turns model_cost input_tokens cached_tokens output_tokens used tokens usage before after")
	made     = regexp.MustCompile(`\d{8}-\d{6}-[0-9a-z]{6}|(cmd|command)-[0-9a-z]{5}|[\d,]+ tokens|pid \d+|\b(\d+m )?\d+m?s\b`)
)

// line returns an event as one line.
func (s *story) line(event messages.Event) string {
	encoded, err := json.Marshal(event)
	if err != nil {
		s.t.Fatal(err)
	}
	var body any
	if err := json.Unmarshal(encoded, &body); err != nil {
		s.t.Fatal(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(lasting(body)); err != nil {
		s.t.Fatal(err)
	}
	return messages.EventName(event) + " " + strings.TrimSpace(out.String())
}

// lasting removes the values that differ in each run.
func lasting(body any) any {
	switch body := body.(type) {
	case map[string]any:
		for name, value := range body {
			if body[name] = lasting(value); slices.Contains(measured, name) {
				delete(body, name)
			}
		}
	case []any:
		for i := range body {
			body[i] = lasting(body[i])
		}
	}
	return body
}
