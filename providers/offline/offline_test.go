package offline_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
)

var everything = tools.Mode{Coding: true, Person: true}

// ask sends a conversation to the built-in provider as a turn would.
func ask(t *testing.T, mode tools.Mode, conversation ...messages.Message) providers.Reply {
	t.Helper()
	r := registry()
	question := providers.Question{Messages: conversation}
	for _, tool := range r.Offer(mode, 0) {
		schema, err := tool.Schema()
		if err != nil {
			t.Fatal(err)
		}
		question.Tools = append(question.Tools, providers.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: schema})
	}
	model := offline.New(finder{r, mode})
	var shown strings.Builder
	reply, err := model.Respond(t.Context(), question, func(part providers.Part) { shown.WriteString(part.Text) })
	if err != nil {
		t.Fatal(err)
	}
	if shown.String() != reply.Text {
		t.Errorf("shown %q, answered %q", shown.String(), reply.Text)
	}
	for _, call := range reply.Calls {
		tool, ok := r.Lookup(call.Name)
		if !ok {
			t.Fatalf("there is no tool %s", call.Name)
		}
		if _, err := tool.Decode(call.Args); err != nil {
			t.Errorf("%s refuses %s: %v", call.Name, call.Args, err)
		}
	}
	return reply
}

func request(text string) messages.Message {
	return messages.Message{Role: messages.User, Text: text}
}

func TestPlainRequestsBecomeCalls(t *testing.T) {
	tests := []struct{ request, tool, args string }{
		{"show the tree of this project", "tree", `{}`},
		{"tree of cmd 2 levels deep", "tree", `{"max_depth":2,"path":"cmd"}`},
		{"Show me the directory tree of cmd/marvin, two levels deep, please", "tree", `{"max_depth":2,"path":"cmd/marvin"}`},
		{"convert 12 km to miles", "convert_units", `{"from_unit":"km","to_unit":"miles","value":12}`},
		{"Could you convert 12.5km to miles?", "convert_units", `{"from_unit":"km","to_unit":"miles","value":12.5}`},
		{"how much is 100 usd in eur", "convert_units", `{"from_unit":"usd","to_unit":"eur","value":100}`},
		{"convert units 5 pounds to kg", "convert_units", `{"from_unit":"pounds","to_unit":"kg","value":5}`},
		{"what is the git status", "git_status", `{}`},
		{"What's the git status?", "git_status", `{}`},
		{"git status", "git_status", `{}`},
		{"which files changed", "git_status", `{}`},
		{"what changed since the last commit", "git_diff", `{}`},
		{"what changed in tools/index.go?", "git_diff", `{"path":"tools/index.go"}`},
		{"show the staged changes", "git_diff", `{"staged":true}`},
		{"what is staged?", "git_diff", `{"staged":true}`},
		{"show the last 5 commits", "git_log", `{"max_count":5}`},
		{"show me the last three commits", "git_log", `{"max_count":3}`},
		{"who wrote line 10 to 20 of main.go", "git_blame", `{"end_line":20,"path":"main.go","start_line":10}`},
		{"who wrote lines 10-20 of main.go", "git_blame", `{"end_line":20,"path":"main.go","start_line":10}`},
		{"who wrote go.mod", "git_blame", `{"path":"go.mod"}`},
		{"search for TODO in *.go", "code_grep", `{"glob_filter":"*.go","pattern":"TODO"}`},
		{"how many lines are in main.go", "code_grep", `{"path":"main.go","pattern":"^","show":"counts"}`},
		{"wie viele Zeilen hat main.go?", "code_grep", `{"path":"main.go","pattern":"^","show":"counts"}`},
		{"combien de lignes y a-t-il dans main.go ?", "code_grep", `{"path":"main.go","pattern":"^","show":"counts"}`},
		{"search for TODO", "code_grep", `{"pattern":"TODO"}`},
		{"grep 'func main' in cmd", "code_grep", `{"path":"cmd","pattern":"func main"}`},
		{"read README.md", "read_file", `{"path":"README.md"}`},
		{"read doc:keys", "read_file", `{"path":"doc:keys"}`},
		{"what is in logs.zip!/a/b.txt", "read_file", `{"path":"logs.zip!/a/b.txt"}`},
		{"How do I configure you?", "read_file", `{"path":"doc:configuration"}`},
		{"please read the file LICENSE", "read_file", `{"path":"LICENSE"}`},
		{"show lines 10-20 of go.mod", "read_file", `{"end_line":20,"path":"go.mod","start_line":10}`},
		{"read go.mod lines 3 to 7", "read_file", `{"end_line":7,"path":"go.mod","start_line":3}`},
		{"start a 5 minute timer", "timer_start", `{"duration":"5m"}`},
		{"start a five minute timer", "timer_start", `{"duration":"5m"}`},
		{"set a timer for 1 hour and 30 minutes", "timer_start", `{"duration":"1h30m"}`},
		{"set a timer for 1h30m", "timer_start", `{"duration":"1h30m"}`},
		{"start a timer called tea for 3 minutes", "timer_start", `{"duration":"3m","name":"tea"}`},
		{"how long is left on the timer", "timer_check", `{}`},
		{"how long is left on the tea timer?", "timer_check", `{"name":"tea"}`},
		{"stop the tea timer", "timer_stop", `{"name":"tea"}`},
		{"system info", "system_info", `{}`},
		{"write a note called ideas: buy milk", "write_note", `{"content":"buy milk","filename":"ideas"}`},
		{"write a note called ideas: Buy milk. Then, call Ann!\n- and bread", "write_note", `{"content":"Buy milk. Then, call Ann!\n- and bread","filename":"ideas"}`},
		{"what notes do I have", "notes_ls", `{}`},
		{"search my notes for milk", "search_notes", `{"query":"milk"}`},
		{"search my notes for oat milk", "search_notes", `{"query":"oat milk"}`},
		{"run go version", "run_command", `{"command":"go version"}`},
		{"run go test -run 'TestA' ./...", "run_command", `{"command":"go test -run 'TestA' ./..."}`},
		{"list branches", "git_branch", `{}`},
		{"list all branches", "git_branch", `{"all":true}`},
		{"how much did I spend", "get_usage", `{}`},
		{"which directory am I in", "get_working_dir", `{}`},
		{"read @docs/guide.md", "read_file", `{"path":"docs/guide.md"}`},
		{"commit everything with the message fix the parser", "git_commit", `{"add_all":true,"message":"fix the parser"}`},
		{"save this place as home: 1 High St", "save_place", `{"address":"1 High St","label":"home"}`},
		{"save 1 High St, Uppsala as home", "save_place", `{"address":"1 High St, Uppsala","label":"home"}`},
		{"what places do I have?", "list_places", `{}`},
		{"forget the place home", "remove_place", `{"label":"home"}`},
		{"bookmark https://go.dev", "bookmark_save", `{"url":"https://go.dev"}`},
		{"bookmark https://go.dev/doc/?a=b as Go documentation", "bookmark_save", `{"title":"Go documentation","url":"https://go.dev/doc/?a=b"}`},
		{"what bookmarks do I have", "bookmark_list", `{}`},
		{"search my bookmarks for go", "bookmark_search", `{"query":"go"}`},
		{"switch to profile alex", "switch_profile", `{"name":"alex"}`},
		{"switch to the work trips profile", "switch_profile", `{"name":"work trips"}`},
		{"I am vegetarian", "update_preferences", `{"action":"add","key":"dietary","value":"vegetarian"}`},
		{"I'm vegan", "update_preferences", `{"action":"add","key":"dietary","value":"vegan"}`},
		{"add halal to my dietary preferences", "update_preferences", `{"action":"add","key":"dietary","value":"halal"}`},
		{"I love thai food", "update_preferences", `{"action":"add","key":"favorite_cuisines","value":"thai"}`},
		{"I have a car", "update_preferences", `{"action":"set","key":"has_car","value":"true"}`},
		{"set my budget to moderate", "update_preferences", `{"key":"budget","value":"moderate"}`},
		{"compact my history", "compact_history", `{}`},
		{"search my history backups for pizza", "search_history_backups", `{"query":"pizza"}`},
		{"timer_start name=tea duration=3m", "timer_start", `{"duration":"3m","name":"tea"}`},
		{`read_file {"path": "go.mod"}`, "read_file", `{"path":"go.mod"}`},
		{`create_file path=a.txt content="two words"`, "create_file", `{"content":"two words","path":"a.txt"}`},
	}
	for _, test := range tests {
		t.Run(test.request, func(t *testing.T) {
			reply := ask(t, everything, request(test.request))
			if len(reply.Calls) != 1 || reply.Finish != providers.Called {
				t.Fatalf("no call, but %q", reply.Text)
			}
			if call := reply.Calls[0]; call.Name != test.tool || string(call.Args) != test.args {
				t.Errorf("got %s %s, want %s %s", call.Name, call.Args, test.tool, test.args)
			}
			if heading, _, _ := strings.Cut(reply.Text, ":"); !strings.Contains(strings.ToLower(heading), "assist") || !strings.Contains(reply.Text, test.tool) {
				t.Errorf("%q does not say who read what", reply.Text)
			}
			if reply.Usage.Known {
				t.Error("tokens are counted")
			}
		})
	}
}

func TestOtherRequestsAreRefusedHonestly(t *testing.T) {
	for _, text := range []string{
		"write a poem about rain", "what is the meaning of life", "", "???",
		"read me a story", "search the web for go generics", "run to the station", "run a marathon tomorrow",
		"how much is the fish", "show me the way to go home", "switch to the branch office in Paris next week",
		"explain the last commit to my mother", "start a revolution", "create a website with a login page",
		"commit to going to the gym", "stop the world", "list the kings of Sweden", "2 tickets to Paris",
		"who wrote Hamlet and when did they do it",
		"I am Alex", "I am tired", "I am not vegetarian", "my brother is vegetarian", "is the soup vegetarian?", "I love you", "I have a question",
		"save the whales", "save us all", "switch off the light", "what is a good vegetarian recipe", "I hate food",
	} {
		t.Run(text, func(t *testing.T) {
			reply := ask(t, everything, request(text))
			if len(reply.Calls) != 0 || reply.Finish != providers.Stopped {
				t.Fatalf("calls %s %s", reply.Calls[0].Name, reply.Calls[0].Args)
			}
			first, more, _ := strings.Cut(reply.Text, "\n")
			if !strings.Contains(first, "built-in assistant") && !strings.Contains(first, "Nothing was done") {
				t.Errorf("%q does not say who cannot do it", reply.Text)
			}
			if more != "" && (strings.Count(more, "\n") != 2 || !strings.Contains(more, "marvin doctor")) {
				t.Errorf("%q is more than an example and how to get a model", reply.Text)
			}
		})
	}
}

func TestARefusalIsLongOnce(t *testing.T) {
	text := "search the web for go generics"
	first := ask(t, everything, request(text))
	if strings.Count(first.Text, "\n") != 3 {
		t.Errorf("first %q", first.Text)
	}
	again := ask(t, everything, request(text), messages.Message{Role: messages.Assistant, Text: first.Text}, request(text))
	if strings.Count(again.Text, "\n") != 1 {
		t.Errorf("again %q", again.Text)
	}
}

func TestMissingValuesAreAskedFor(t *testing.T) {
	for text, want := range map[string]string{
		"write a note called ideas": "What should the note say?\n",
		"switch to the branch":      "Which branch?\n",
		"search my notes":           "What should I look for in your notes?\n",
		"starte einen timer":        "Wie lange?\n",
	} {
		reply := ask(t, everything, request(text))
		if len(reply.Calls) != 0 || reply.Text != want {
			t.Errorf("%s: %d calls, %q", text, len(reply.Calls), reply.Text)
		}
	}
}

func TestOnlyOfferedToolsAreCalled(t *testing.T) {
	if reply := ask(t, tools.Mode{}, request("what is the git status")); len(reply.Calls) != 0 {
		t.Errorf("calls %s outside coding mode", reply.Calls[0].Name)
	} else if strings.Contains(reply.Text, "git") {
		t.Errorf("%q suggests a tool that is not there", reply.Text)
	}
	if reply := ask(t, tools.Mode{Coding: true, ReadOnly: true}, request("run go version")); len(reply.Calls) != 0 {
		t.Errorf("calls %s in a read-only run", reply.Calls[0].Name)
	}
	model := offline.New(finder{registry(), everything})
	reply, err := model.Respond(t.Context(), providers.Question{Messages: []messages.Message{request("git status")}}, func(providers.Part) {})
	if err != nil || len(reply.Calls) != 0 {
		t.Errorf("calls %v, %v although no tools were offered", reply.Calls, err)
	}
}

func TestAllToolsAreCalledWhenTheyCanBeSearched(t *testing.T) {
	model := offline.New(finder{registry(), everything})
	question := providers.Question{
		Messages: []messages.Message{request("git status")},
		Tools:    []providers.ToolSpec{{Name: "find_tools", Schema: json.RawMessage(`{"type":"object"}`)}},
	}
	reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
	if err != nil || len(reply.Calls) != 1 {
		t.Errorf("calls %v, %v", reply.Calls, err)
	}
}

func TestResultsAreSentVerbatim(t *testing.T) {
	call := messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "1", Name: "convert_units"}}}
	result := func(status messages.Status, text string) messages.Message {
		return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "1", Name: "convert_units", Text: text, Status: status}}
	}
	tests := []struct {
		status     messages.Status
		text, want string
	}{
		{messages.OK, "12 km = 7.46 miles\n", "12 km = 7.46 miles\n"},
		{messages.OK, "  indented\n\nlines", "  indented\n\nlines\n"},
		{messages.ToolError, "Error: no unit called kmm", "Error: no unit called kmm\n"},
		{messages.Denied, "Denied", "Denied\n\nYou said no, so convert_units did not run. Nothing was changed.\n"},
		{messages.TimedOut, "Error: time", "Error: time\n\nIt took too long and was stopped. Try again with less work at once.\n"},
	}
	for _, test := range tests {
		reply := ask(t, everything, request("convert 12 km to miles"), call, result(test.status, test.text))
		if len(reply.Calls) != 0 || reply.Finish != providers.Stopped || reply.Text != test.want {
			t.Errorf("%s: %d calls, %q, want %q", test.status, len(reply.Calls), reply.Text, test.want)
		}
	}
}

func TestAnEndedContextIsAnError(t *testing.T) {
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	_, err := offline.New(finder{registry(), everything}).Respond(ctx, providers.Question{}, func(providers.Part) {})
	if !errors.Is(err, gone) {
		t.Errorf("error is %v", err)
	}
}

func BenchmarkRespond(b *testing.B) {
	model := offline.New(finder{registry(), everything})
	question := providers.Question{
		Messages: []messages.Message{request("who wrote line 10 to 20 of main.go")},
		Tools:    []providers.ToolSpec{{Name: "find_tools"}},
	}
	for b.Loop() {
		if reply, _ := model.Respond(b.Context(), question, func(providers.Part) {}); len(reply.Calls) != 1 {
			b.Fatal(reply.Text)
		}
	}
}

func BenchmarkLongNote(b *testing.B) {
	model := offline.New(finder{registry(), everything})
	question := providers.Question{
		Messages: []messages.Message{request("write a note called ideas: " + strings.Repeat("buy milk and find a timer for the branch. ", 100))},
		Tools:    []providers.ToolSpec{{Name: "find_tools"}},
	}
	for b.Loop() {
		if reply, _ := model.Respond(b.Context(), question, func(providers.Part) {}); len(reply.Calls) != 1 {
			b.Fatal(reply.Text)
		}
	}
}

func FuzzRespondNeverPanics(f *testing.F) {
	f.Add("show lines 10-20 of 'go.mod'")
	f.Add("write a note called ‘x’: «y”")
	f.Add("tree {\"path\": 1")
	model := offline.New(finder{registry(), everything})
	f.Fuzz(func(t *testing.T, text string) {
		question := providers.Question{Messages: []messages.Message{request(text)}, Tools: []providers.ToolSpec{{Name: "find_tools"}}}
		reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
		if err != nil || reply.Text == "" {
			t.Fatalf("%q: %v", reply.Text, err)
		}
		for _, call := range reply.Calls {
			if !json.Valid(call.Args) {
				t.Errorf("arguments are %s", call.Args)
			}
		}
	})
}

func TestUserErrorsDoNotMentionTheUser(t *testing.T) {
	reply, err := offline.New(finder{registry(), everything}).Respond(t.Context(), providers.Question{Messages: []messages.Message{
		{Role: messages.User, Text: "download the video https://vimeo.com/1"},
		{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "c1", Name: "yt_dlp_download"}}},
		{Role: messages.Tool, Result: messages.ToolResult{Call: "c1", Name: "convert_units", Status: messages.ToolError, Text: "Error: yt-dlp is not installed\nTell the user to install it."}},
	}}, func(providers.Part) {})
	if err != nil || !strings.Contains(reply.Text, "Install it.") || strings.Contains(reply.Text, "the user") {
		t.Errorf("%q, %v", reply.Text, err)
	}
}
