package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// wanted is one line of a file of requests: the request, and the calls that are right.
type wanted struct {
	request string
	calls   []wantedCall // none: it must be refused or answered
	refuse  bool         // a refusal is right too
	answer  bool         // an answer in words is right, and no refusal
}

type wantedCall struct {
	tool string
	args map[string][]string // the values that are right; "*" is any
	may  map[string]bool     // may be absent
}

func readWanted(t *testing.T, name string) (list []wanted) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "eval", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		request, right, ok := strings.Cut(strings.TrimRight(line, "\n"), " => ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, readWantedLine(request, right))
	}
	return list
}

func readWantedLine(request, right string) wanted {
	one := wanted{request: request}
	for choice := range strings.SplitSeq(right, " || ") {
		switch choice = strings.TrimSpace(choice); choice {
		case "refuse":
			one.refuse = true
		case "answer":
			one.answer = true
		default:
			one.calls = append(one.calls, readCall(choice))
		}
	}
	return one
}

func readCall(text string) wantedCall {
	tool, rest, _ := strings.Cut(text, " ")
	call := wantedCall{tool: tool, args: map[string][]string{}, may: map[string]bool{}}
	for pair := range strings.SplitSeq(rest, "; ") {
		name, values, ok := strings.Cut(pair, "=")
		if !ok {
			continue
		}
		bare := strings.TrimSuffix(name, "?")
		call.may[bare] = bare != name
		call.args[bare] = strings.Split(values, "|")
	}
	return call
}

// is reports whether a call equals the wanted one: every value is right, and there are no others.
func (w wantedCall) is(call messages.ToolCall) bool {
	var args map[string]any
	if call.Name != w.tool || json.Unmarshal(call.Args, &args) != nil {
		return false
	}
	for name, values := range w.args {
		got, ok := args[name]
		if !ok && !w.may[name] {
			return false
		}
		if ok && !slices.ContainsFunc(values, func(value string) bool { return value == "*" || sameValue(call.Name, name, fmt.Sprint(got), value) }) {
			return false
		}
		delete(args, name)
	}
	return len(args) == 0
}

var times = map[string]bool{"time": true, "start": true}

// sameValue compares commands exactly and times by their meaning.
func sameValue(tool, name, got, want string) bool {
	if name == "command" {
		return got == want
	}
	got, want = strings.Join(strings.Fields(strings.ToLower(got)), " "), strings.ToLower(want)
	if times[name] && (tool == "set_alarm" || tool == "calendar_add_event") {
		got, want = plainTime(got), plainTime(want)
	}
	return got == want
}

var (
	uhr       = regexp.MustCompile(`(\d{1,2}) ?(?:uhr|heures?|h) ?(\d\d)?`)
	particles = regexp.MustCompile(`\b(at|on|in|um|am|the|le|an|den|o'clock)\b|à|\ba\b`)
	german    = strings.NewReplacer("morgen", "tomorrow", "demain", "tomorrow", "freitag", "friday", "vendredi", "friday", "halb acht", "7:30", "une heure", "1h", "einer stunde", "1h")
)

// plainTime converts different ways to write a time to one form, as far as the files need it.
func plainTime(text string) string {
	text = german.Replace(text)
	text = uhr.ReplaceAllStringFunc(text, func(found string) string {
		parts := uhr.FindStringSubmatch(found)
		if parts[2] == "" {
			parts[2] = "00"
		}
		return parts[1] + ":" + parts[2]
	})
	text = particles.ReplaceAllString(strings.ReplaceAll(text, " am", "am"), "")
	text = strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), ":00", "")
	return text
}

// score is how a file of requests went.
type score struct {
	right, missed, wrong, written int
	lines                         []string
}

// understandAll gives every request to the built-in assistant, as a user in a project does.
func understandAll(t *testing.T, list []wanted) (s score) {
	t.Helper()
	all := registry(t)
	model := offline.New(app.Finder{Registry: toolbox.NewShelf(all), Mode: tools.Mode{Coding: true, Person: true}, Dir: smallProject(t)})
	for _, one := range list {
		reply, err := model.Respond(t.Context(), providers.Question{
			Messages: []messages.Message{{Role: messages.User, Text: one.request}},
			Tools:    []providers.ToolSpec{{Name: "find_tools"}},
		}, func(providers.Part) {})
		if err != nil {
			t.Fatal(err)
		}
		s.judge(one, reply, all)
	}
	return s
}

// smallProject returns a directory with the files that the requests name.
func smallProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module x\n", "README.md": "# x\n", "build.log": "built\n", "sheet.csv": "a,b\n", "src/main.py": "print(1)\n", "notes.txt": "old\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// refusal reports whether a text says that nothing was understood or done.
func refusal(text string) bool {
	for _, sign := range []string{"/login adds a model", "gib /help ein; mit /login", "tape /help ; /login", "Nothing was done.", "Ich habe nichts ausgeführt.", "Je n'ai rien exécuté."} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

func (s *score) judge(one wanted, reply providers.Reply, all *toolbox.Registry) {
	refused := len(reply.Calls) == 0 && refusal(reply.Text)
	switch {
	case len(reply.Calls) == 0 && (one.refuse && (refused || !one.answer) || one.answer && !refused):
		s.right++
	case len(reply.Calls) == 0:
		s.missed++
		first, _, _ := strings.Cut(reply.Text, "\n")
		s.lines = append(s.lines, fmt.Sprintf("missed  %s\n          %s", one.request, first))
	case slices.ContainsFunc(one.calls, func(w wantedCall) bool { return w.is(reply.Calls[0]) }):
		s.right++
	default:
		s.wrong++
		mark := "wrong  "
		if tool, ok := all.Lookup(reply.Calls[0].Name); ok && (tool.Writes || tool.Confirms) {
			s.written++
			mark = "WRITTEN"
		}
		s.lines = append(s.lines, fmt.Sprintf("%s %s\n          %s %s", mark, one.request, reply.Calls[0].Name, reply.Calls[0].Args))
	}
}

func (s score) String() string {
	all := s.right + s.missed + s.wrong
	return fmt.Sprintf("%d requests: %d right (%.1f %%), %d refused though plain, %d wrong (%.1f %%), %d of them where something is written or run",
		all, s.right, 100*float64(s.right)/float64(all), s.missed, s.wrong, 100*float64(s.wrong)/float64(all), s.written)
}

// Requests that users would type, in three languages. EVAL=1 prints the failed ones. They serve to
// find general causes; no phrase may be added for a single line.
func TestHeldOutRequestsAreUnderstood(t *testing.T) {
	for name, least := range map[string]float64{"requests.txt": 0.80, "strangers.txt": 0.95, "fresh.txt": 0.95, "fresh2.txt": 0.95, "fresh3.txt": 0.95, "fresh4.txt": 0.92, "fresh5.txt": 0.90, "fresh6.txt": 0.95, "train.txt": 0.95, "own.txt": 0.97, "newcomer.txt": 0.95} {
		if testing.Short() && name != "requests.txt" && name != "fresh6.txt" && name != "newcomer.txt" {
			continue
		}
		list := readWanted(t, name)
		if len(list) < 100 {
			t.Fatalf("%s has only %d requests", name, len(list))
		}
		s := understandAll(t, list)
		t.Logf("%s: %s", name, s)
		if os.Getenv("EVAL") == "1" || os.Getenv("EVAL") == name {
			for _, line := range s.lines {
				t.Log(line)
			}
		}
		if share := float64(len(list)); float64(s.right) < least*share || float64(s.wrong) > 0.01*share || s.written > 0 {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func TestATitleIsNoTime(t *testing.T) {
	all := registry(t)
	model := offline.New(app.Finder{Registry: toolbox.NewShelf(all), Mode: tools.Mode{Coding: true, Person: true}})
	for _, request := range []string{
		"make appointment for next friday", "add an event for tomorrow at 9", "make a repeating reminder for my yoga practice every day at noon",
		"reminder about meeting from 8am to 12pm", "turn off my first alarm", "cancel my last alarm", "schedule dinner with Tom at 7pm tomorrow and tell him",
		"book a table for friday at 8", "neuer termin am freitag um 9", "remind me when i get home",
	} {
		reply, err := model.Respond(t.Context(), providers.Question{
			Messages: []messages.Message{{Role: messages.User, Text: request}}, Tools: []providers.ToolSpec{{Name: "find_tools"}},
		}, func(providers.Part) {})
		if err != nil || len(reply.Calls) > 0 {
			t.Errorf("%q: %v, %v", request, reply.Calls, err)
		}
	}
}
