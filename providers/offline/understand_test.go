package offline_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"marvin/providers"
	"marvin/providers/offline"
)

// A shell line is used literally, to the last character.
func TestCommandsAreTakenLetterForLetter(t *testing.T) {
	content, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(content)) {
		text, want, ok := strings.Cut(strings.TrimRight(line, "\n"), " => ")
		if !ok || line[0] == '#' {
			continue
		}
		count++
		reply := ask(t, everything, request(text))
		got := "refused"
		if len(reply.Calls) == 1 && reply.Calls[0].Name == "run_command" {
			got = commandOf(t, reply)
		} else if len(reply.Calls) == 1 {
			got = reply.Calls[0].Name
		}
		if got != want {
			t.Errorf("%q runs %q, want %q", text, got, want)
		}
	}
	if count < 40 {
		t.Errorf("only %d lines", count)
	}
}

func commandOf(t *testing.T, reply providers.Reply) string {
	t.Helper()
	var args struct{ Command string }
	if err := json.Unmarshal(reply.Calls[0].Args, &args); err != nil {
		t.Fatal(err)
	}
	return args.Command
}

func TestTwoOrdersAreNotOne(t *testing.T) {
	for text, want := range map[string]string{
		"commit everything with the message wip and push it":             "",
		"commit everything with the message wip then push":               "",
		"commit everything with the message wip, but do not stage x":     "",
		"committe alles mit der nachricht wip und pushe dann":            "",
		"commite tout avec le message wip et pousse":                     "",
		"remind me in 10 minutes to call Ann and send her an email":      "",
		"write a note called ideas: buy milk and send it to Bob":         `{"content":"buy milk and send it to Bob","filename":"ideas"}`,
		`commit everything with the message "wip and push it"`:           `{"add_all":true,"message":"wip and push it"}`,
		"commit everything with the message add tests and documentation": `{"add_all":true,"message":"add tests and documentation"}`,
	} {
		reply := ask(t, everything, request(text))
		switch {
		case want == "" && len(reply.Calls) > 0:
			t.Errorf("%q calls %s %s", text, reply.Calls[0].Name, reply.Calls[0].Args)
		case want != "" && (len(reply.Calls) != 1 || string(reply.Calls[0].Args) != want):
			t.Errorf("%q: %v, want %s", text, reply.Calls, want)
		}
	}
	if reply := ask(t, everything, request("commit everything with the message wip and push it")); !strings.Contains(reply.Text, "one at a time") || !strings.Contains(reply.Text, "Nothing was done") {
		t.Errorf("it says %q", reply.Text)
	}
}

// A duration and a moment are different values.
func TestASpanOfDaysIsNoMoment(t *testing.T) {
	for text, want := range map[string]string{
		"start a timer for an hour and a half": `{"duration":"1h30m"}`,
		"set a timer for 90 seconds":           `{"duration":"90s"}`,
		"show lines 10 to 20 of main.go":       `{"end_line":20,"path":"main.go","start_line":10}`,
	} {
		if reply := ask(t, everything, request(text)); len(reply.Calls) != 1 || string(reply.Calls[0].Args) != want {
			t.Errorf("%q: %v, want %s", text, reply.Calls, want)
		}
	}
}

func TestThePhrasesAreWhole(t *testing.T) {
	if err := offline.PhraseError(); err != nil {
		t.Error(err)
	}
}

func TestAnswersComeInTheLanguageOfTheRequest(t *testing.T) {
	for text, want := range map[string]string{
		"hello": "Hello!", "hallo": "Hallo!", "bonjour": "Bonjour", "what can you do": "weather in Oslo", "was kannst du": "wie spät ist es in Tokio",
		"que sais-tu faire": "quelle heure est-il", "schreib mir ein gedicht über den mond": "kann das nicht", "écris un poème sur la lune": "je ne sais pas faire",
		"write a poem about the moon": "cannot do that",
	} {
		if reply := ask(t, everything, request(text)); len(reply.Calls) > 0 || !strings.Contains(reply.Text, want) {
			t.Errorf("%q: %v %q, want %q", text, reply.Calls, reply.Text, want)
		}
	}
}

func BenchmarkPhrases(b *testing.B) {
	model := offline.New(finder{registry(), everything})
	question := providers.Question{Messages: nil, Tools: []providers.ToolSpec{{Name: "find_tools"}}}
	question.Messages = append(question.Messages, request("could you tell me how the weather is going to be in Stockholm tomorrow please"))
	for b.Loop() {
		if _, err := model.Respond(b.Context(), question, func(providers.Part) {}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestALongTextIsReadOnce(t *testing.T) {
	model := offline.New(finder{registry(), everything})
	question := providers.Question{Tools: []providers.ToolSpec{{Name: "find_tools"}}}
	question.Messages = append(question.Messages, request(strings.Repeat("line 12\n", 300)))
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := model.Respond(t.Context(), question, func(providers.Part) {}); err != nil {
			t.Fatal(err)
		}
	})
	if most := 600_000.0; allocated > most { // it was 2.6 million before, and is 250,000 now
		t.Errorf("%.0f allocations, more than %.0f", allocated, most)
	}
}
