package toolbox

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/tools"
)

// sketch makes a tool for search tests from a line: name, flags (c coding, k core, w writes, i
// interactive), description, examples.
func sketch(line string) tools.Tool {
	type none struct{}
	fields := strings.Split(line, " | ")
	effect := tools.Reads
	if strings.Contains(fields[1], "w") {
		effect = tools.Writes
	}
	return tools.New(tools.Def[none]{
		Name: fields[0], Doc: fields[2], Examples: fields[3:],
		Core: strings.Contains(fields[1], "k"), Needs: tools.Needs{Coding: strings.Contains(fields[1], "c"), Interactive: strings.Contains(fields[1], "i")},
		Effect: effect,
		Run:    func(context.Context, tools.Env, none) (tools.Output, error) { return tools.Output{Text: "done"}, nil },
	})
}

// catalogue has as many tools as Marvin is planned to have, with similar meanings.
func catalogue() *Registry {
	var r Registry
	for line := range strings.Lines(catalogueText) {
		if line = strings.TrimSpace(line); line != "" {
			r.Add(sketch(line))
		}
	}
	r.Add(FindTool(&r))
	return &r
}

const catalogueText = `
get_my_location |  | Where this computer is, as coordinates with city and country. | where am I
places_text_search |  | Search restaurants, shops and other places by words. | find {pizza|query} near me
places_nearby_search |  | Places of a kind around coordinates, nearest first.
save_place |  | Remember a place under a label such as home or work. | save this address as {home|label}
remove_place |  | Forget a saved place.
list_places |  | The saved places with their addresses. | show my saved places
estimate_travel_time |  | How long a way takes by car, bicycle or on foot, without traffic. | how long does it take from {A|origin} to {B|destination}
get_directions |  | Turn-by-turn directions between two places. | how do I get from {A|origin} to {B|destination}
weather_forecast |  | Weather now and for the next days. | what is the weather in {Uppsala|location}
web_search | k | Search the web and return titles, addresses and snippets. | search the web for {go generics|query}
search_news |  | Recent news articles about a subject. | news about {chess|query}
browse_web | k | Fetch a web page as text. | open {https://example.org|url}
scrape_page |  | Load a page in a browser and extract text, menus or links.
search_movies |  | Find films and series by title.
get_movie_details |  | Cast, plot and ratings of one film. | who plays in {Alien|title}
steam_search |  | Find games in the Steam store with prices.
steam_player_stats |  | How many people play a Steam game now.
music_search |  | Find artists, albums and songs in MusicBrainz.
recipe_search |  | Find recipes by dish or ingredient. | what can I cook with {leeks|query}
recipe_lookup |  | A recipe's full list of ingredients and method.
write_note |  | Write or append to a Markdown note. | write a note called {ideas|filename}: {buy milk|content} | append {eggs|content} to my note {shopping|filename}
read_note |  | Read a note. | read my note {ideas|filename}
notes_ls |  | List notes and folders of notes. | what notes do I have
notes_mkdir |  | Make a folder for notes.
search_notes |  | Search words in all notes. | search my notes for {milk|query}
read_file | ck | Read a file of the project, whole or from line to line. | read {README.md|path} | show lines {10|start_line} to {20|end_line} of {go.mod|path}
create_file | ckw | Create a new file with content. | create a file {hello.txt|path} with {hello|content}
append_file | ckw | Append to an existing file.
apply_patch | ckw | Edit files: replace an exact string or apply a patch.
set_working_dir | c | Choose the directory to work in. | work in {/home/me/project|path}
get_working_dir | c | The directory to work in. | which directory am I in
code_grep | ck | Search file contents with a regular expression. | search for {TODO|pattern} in {*.go|glob_filter}
tree | ck | The directory tree of the project. | show the tree of this project
git_status | c | Branch and changed files. | what is the git status
git_diff | c | What changed in the files since the last commit. | what changed since the last commit
git_commit | cw | Commit changes with a message. | commit everything as {fix typo|message}
git_log | c | The latest commits. | show the last {5|max_count} commits
git_blame | c | Who wrote which line of a file, and when. | who wrote {main.go|path}
git_branch | c | List branches. | list branches
git_checkout | cw | Switch to another branch or commit. | switch to branch {main|target}
run_command | ckw | Run a shell command. | run {go version|command}
github_search |  | Search repositories, code and issues on GitHub.
github_clone |  | Clone a GitHub repository.
calendar_view |  | The calendar of a month. | show my calendar
calendar_add_event |  | Add an event to the calendar. | add {dinner|title} to my calendar on {friday|start}
wiki_search |  | Search Wikipedia. | look up {Linnaeus|query} on wikipedia
exit_app | i | Leave Marvin. | goodbye
system_info |  | Operating system, processor, memory, disk, uptime and battery. | how much memory is free
get_usage |  | What this session cost and how many tokens it used. | how much did I spend
set_alarm |  | Set an alarm at a time of day. | wake me at {07:30|time}
timer_start |  | Start a countdown timer or a stopwatch. | start a {5 minutes|duration} timer
timer_check |  | How much time is left on timers. | how long is left on the timer
timer_stop |  | Stop a timer. | stop the timer
convert_units |  | Convert between units of measure or currencies. | convert {12|value} {km|from_unit} to {miles|to_unit}
dictionary_lookup |  | The meaning of an English word. | what does {terse|word} mean
translate_text |  | Translate text into another language. | translate {good morning|text} to {French|target_lang}
read_rss |  | The latest entries of an RSS or Atom feed.
bookmark_save |  | Save a web address with tags.
download_file |  | Download a file from the web.
`

func TestSearchFindsWhatUsersAskFor(t *testing.T) {
	all := tools.Mode{Coding: true, Person: true}
	tests := []struct{ query, want string }{
		{"weather tomorrow", "weather_forecast"},
		{"what changed since the last commit", "git_diff"},
		{"who wrote this line", "git_blame"},
		{"find notes about milk", "search_notes"},
		{"list all branches", "git_branch"},
		{"converting kilometres to miles", "convert_units"},
		{"how much money did this session cost", "get_usage"},
		{"grep for a regular expression", "code_grep"},
		{"memory and disk", "system_info"},
		{"time left", "timer_check"},
		{"stopping timers", "timer_stop"},
		{"recipes with leeks", "recipe_search"},
		{"directions to the station", "get_directions"},
		{"run a shell command", "run_command"},
		{"git_status", "git_status"},
		{"French translation", "translate_text"},
	}
	r := catalogue()
	for _, test := range tests {
		hits := r.Search(test.query, all, 3)
		if len(hits) == 0 || hits[0].Tool.Name != test.want {
			t.Errorf("%q finds %s, want %s first", test.query, hitNames(hits), test.want)
		}
	}
}

func hitNames(hits []Hit) (list []string) {
	for _, hit := range hits {
		list = append(list, fmt.Sprintf("%s %.1f", hit.Tool.Name, hit.Score))
	}
	return list
}

func TestSearchKeepsToTheMode(t *testing.T) {
	r := catalogue()
	for _, hit := range r.Search("run a shell command, commit files, leave marvin", tools.Mode{ReadOnly: true}, 100) {
		if hit.Tool.Coding || hit.Tool.Writes || hit.Tool.Interactive {
			t.Errorf("%s is not in this mode", hit.Tool.Name)
		}
	}
	if hits := r.Search("the of and", tools.Mode{Coding: true}, 5); len(hits) != 0 {
		t.Errorf("little words find %v", hitNames(hits))
	}
}

func TestParameterNamesAreFound(t *testing.T) {
	var r Registry
	r.Add(sketch("alpha |  | The first."), tools.New(tools.Def[findArgs]{Name: "beta", Doc: "The second."}))
	if hits := r.Search("results", tools.Mode{}, 5); len(hits) != 1 || hits[0].Tool.Name != "beta" {
		t.Errorf("found %v", hitNames(hits))
	}
}

func TestOfferIsEverythingOrTheCore(t *testing.T) {
	r := catalogue()
	var few Registry
	few.Add(FindTool(&few))
	few.Add(r.tools[:OfferLimit]...)
	all := tools.Mode{Coding: true, Person: true}
	if got := toolNames(few.Offer(all, 0)); !slices.Equal(got, toolNames(r.tools[:OfferLimit])) {
		t.Errorf("few tools are offered as %v", got)
	}
	few.Add(r.tools[OfferLimit])
	if got := toolNames(few.Offer(all, 0)); len(got) >= OfferLimit || got[0] != findName {
		t.Errorf("one tool more is offered as %v", got)
	}
	coding := r.Offer(all, 0)
	want := []string{"web_search", "browse_web", "read_file", "create_file", "append_file", "apply_patch", "code_grep", "tree", "run_command", "find_tools"}
	if got := toolNames(coding); !slices.Equal(got, want) {
		t.Errorf("many tools are offered as %v, want %v", got, want)
	}
	if got := toolNames(r.Offer(tools.Mode{Coding: true, ReadOnly: true}, 0)); slices.Contains(got, "create_file") {
		t.Errorf("a read-only run is offered %v", got)
	}
}

func TestADeniedToolIsNeitherOfferedNorFound(t *testing.T) {
	r := catalogue()
	rules, err := tools.NewPermissions(nil, nil, []string{"create_file", "git_commit(*)", "run_command(rm *)"})
	if err != nil {
		t.Fatal(err)
	}
	mode := tools.Mode{Coding: true, Person: true, Rules: rules}
	if got := toolNames(r.Offer(mode, 0)); slices.Contains(got, "create_file") || !slices.Contains(got, "run_command") {
		t.Errorf("offered are %v", got)
	}
	if found := r.Search("commit changes", mode, 5); slices.Contains(hitNames(found), "git_commit") {
		t.Errorf("found are %v", hitNames(found))
	}
	if _, err := r.Find("create_file", mode); err != nil { // the error of a call names the rule
		t.Error(err)
	}
}

func TestFindToolListsAndOffers(t *testing.T) {
	r := catalogue()
	find, _ := r.Lookup(findName)
	tests := []struct {
		args string
		env  tools.Env
		text []string
		want []string
	}{
		{`{"query":"search the notes","max_results":2}`, tools.Env{}, []string{"1. search_notes: Search words in all notes.\n"}, []string{"search_notes", "notes_ls"}},
		{`{"query":"git commit"}`, tools.Env{}, []string{"No tool fits", "timer_start"}, nil},
		{`{"query":"commit","max_results":1}`, tools.Env{Coding: true}, []string{"git_commit"}, []string{"git_commit"}},
		{`{"query":"commit changes with a message","max_results":1}`, tools.Env{Coding: true, ReadOnly: true}, []string{"git_diff"}, []string{"git_diff"}},
	}
	for _, test := range tests {
		call, err := find.Decode(json.RawMessage(test.args))
		if err != nil {
			t.Fatal(err)
		}
		out, err := call.Run(t.Context(), test.env)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range test.text {
			if !strings.Contains(out.Text, part) {
				t.Errorf("%s: %q does not say %q", test.args, out.Text, part)
			}
		}
		if !slices.Equal(out.Offer, test.want) {
			t.Errorf("%s offers %v, want %v", test.args, out.Offer, test.want)
		}
	}
}

func TestFindToolShowsParameters(t *testing.T) {
	var r Registry
	r.Add(tools.New(tools.Def[findArgs]{Name: "beta", Doc: "The second. More."}), FindTool(&r))
	find, _ := r.Lookup(findName)
	call, err := find.Decode(json.RawMessage(`{"query":"second"}`))
	if err != nil {
		t.Fatal(err)
	}
	out, err := call.Run(t.Context(), tools.Env{})
	if err != nil || !strings.HasPrefix(out.Text, "1. beta: The second.\n  query (string, required): The") {
		t.Errorf("got %q, %v", out.Text, err)
	}
}

func TestStemJoinsFormsOfAWord(t *testing.T) {
	for _, group := range []string{"change changes changed changing", "branch branches", "directory directories", "run running runs", "note notes", "list listing lists listed", "commit commits committed"} {
		forms := strings.Fields(group)
		for _, form := range forms[1:] {
			if stem(form) != stem(forms[0]) {
				t.Errorf("%s is %s but %s is %s", form, stem(form), forms[0], stem(forms[0]))
			}
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	r := catalogue()
	list := append(slices.Clone(r.tools), r.tools...)
	for b.Loop() {
		newIndex(list)
	}
}

func BenchmarkSearch(b *testing.B) {
	r := catalogue()
	for b.Loop() {
		r.Search("what changed since the last commit", tools.Mode{Coding: true}, 5)
	}
}

func TestAWordIsLookedUp(t *testing.T) {
	x := &index{postings: map[string][]posting{}}
	for i, word := range []string{"weather", "report", "reports", "music", "tune", "track", "trace"} {
		x.postings[word] = []posting{{tool: i + 1}}
	}
	for word, want := range map[string]struct {
		tool int
		sure float64
	}{
		"weather": {1, 1}, "weathers": {1, 0.8}, "superweather": {1, 0.8}, "xreports": {3, 0.8}, "weeather": {1, 0.8 - 0.1}, "wether": {1, 0.7}, "seather": {0, 0.7}, "musik": {0, 0}, "musics": {4, 0.7}, "tracke": {7, 0.7}, "untune": {0, 0.7}, "tunetunex": {0, 0.7}, "zzzzzzzz": {0, 0.7},
	} {
		list, sure := x.lookup(word)
		tool := 0
		if len(list) > 0 {
			tool = list[0].tool
		}
		if tool != want.tool || sure != want.sure && (sure < want.sure-1e-9 || sure > want.sure+1e-9) {
			t.Errorf("%s: tool %d, %v; want %+v", word, tool, sure, want)
		}
	}
}
