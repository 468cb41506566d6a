package command_test

import (
	"slices"
	"strings"
	"testing"

	"marvin/ui/command"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want command.Verb
		text string
	}{
		{"", command.Nothing, ""},
		{" \n\t", command.Nothing, ""},
		{"hello there", command.Prompt, "hello there"},
		{"  hello\nthere ", command.Prompt, "hello\nthere"},
		{"/help", command.Help, ""},
		{"/?", command.Help, ""},
		{"/HELP model", command.Help, "model"},
		{"/model", command.Model, ""},
		{"/model  2 ", command.Model, "2"},
		{"/export my talk.md", command.Export, "my talk.md"},
		{"/new", command.Clear, ""},
		{"/modle", command.Unknown, "/modle"},
		{"/etc/hosts what is in it?", command.Prompt, "/etc/hosts what is in it?"},
		{"/2 of it", command.Prompt, "/2 of it"},
		{"/", command.Help, ""},
		{" /", command.Prompt, "/"},
		{"//", command.Prompt, "//"},
		{" /model 2", command.Prompt, "/model 2"},
		{" !ls", command.Prompt, "!ls"},
		{"!ls -la", command.Run, "ls -la"},
		{"! ls", command.Run, "ls"},
		{"!", command.Run, ""},
		{"!for i in 1 2\ndo echo $i; done", command.Run, "for i in 1 2\ndo echo $i; done"},
		{"!shell", command.ShellMode, ""},
		{"!SH", command.ShellMode, ""},
		{"!sh ls -la", command.Run, "ls -la"},
		{"!shellcheck x", command.Run, "shellcheck x"},
		{"!code", command.Code, ""},
		{"!code .", command.Run, "code ."},
		{"!pro", command.Pro, ""},
		{"!pro why\nnot", command.Pro, "why\nnot"},
		{"!pro\twhy", command.Pro, "why"},
		{"!profile", command.Run, "profile"},
		{"!voice", command.Voice, ""},
		{"!v", command.Voice, ""},
		{"!v 10", command.Voice, "10"},
		{"!V rm -rf x", command.Voice, "rm -rf x"},
		{"!voice; rm x", command.Voice, "rm x"},
		{"!blender&& rm x", command.Blender, "rm x"},
		{"/voice 10", command.Voice, "10"},
		{"/pro why", command.Pro, "why"},
		{"/sh ls -la", command.Run, "ls -la"},
		{"/usage", command.Usage, ""},
		{"/quit", command.Leave, ""},
		{"!vim x", command.Run, "vim x"},
		{"!blender", command.Blender, ""},
		{"!blender render", command.Blender, "render"},
		{"quit", command.Leave, ""},
		{" EXIT ", command.Leave, ""},
		{"Preferences", command.Preferences, ""},
		{"profiles", command.Profile, ""},
		{"usage", command.Usage, ""},
		{"saved", command.Saved, ""},
		{"saved my life", command.Prompt, "saved my life"},
		{"exit the building", command.Prompt, "exit the building"},
		{"usage\nof words", command.Prompt, "usage\nof words"},
		{"quit.", command.Prompt, "quit."},
		{"help", command.Prompt, "help"},
	} {
		if got := command.Parse(c.line, false); got != (command.Command{Verb: c.want, Text: c.text}) {
			t.Errorf("%q: %+v, want %d %q", c.line, got, c.want, c.text)
		}
	}
}

func TestInShellModeEveryLineIsACommand(t *testing.T) {
	for _, c := range []struct {
		line string
		want command.Verb
		text string
	}{
		{"ls", command.Run, "ls"},
		{"usage", command.Run, "usage"},
		{"saved my life", command.Run, "saved my life"},
		{"/bin/ls", command.Run, "/bin/ls"},
		{"/unknown x", command.Run, "/unknown x"},
		{"exit", command.ShellMode, ""},
		{"!shell", command.ShellMode, ""},
		{"quit", command.Leave, ""},
		{"/help", command.Help, ""},
		{"!v", command.Voice, ""},
		{"!ls", command.Run, "ls"},
		{"", command.Nothing, ""},
	} {
		if got := command.Parse(c.line, true); got != (command.Command{Verb: c.want, Text: c.text}) {
			t.Errorf("%q: %+v, want %d %q", c.line, got, c.want, c.text)
		}
	}
}

// A name that the table shows must be one that is understood, and no two the same.
func TestTheTableIsWhatIsUnderstood(t *testing.T) {
	seen := map[string]bool{}
	for _, entry := range command.Table {
		if entry.Verb == command.Run {
			continue
		}
		for _, name := range append([]string{entry.Name}, entry.Aliases...) {
			if seen[name] {
				t.Errorf("%s is twice in the table", name)
			}
			seen[name] = true
			if got := command.Parse(name, false); got.Verb != entry.Verb {
				t.Errorf("%s is understood as %d", name, got.Verb)
			}
		}
		for _, example := range entry.Examples {
			if got := command.Parse(example, false); got.Verb != entry.Verb && got.Verb != command.Run {
				t.Errorf("the example %q is understood as %d", example, got.Verb)
			}
		}
		if entry.Help == "" || strings.Contains(entry.Help, "\n") {
			t.Errorf("%s is explained as %q", entry.Name, entry.Help)
		}
	}
}

func TestSuggestions(t *testing.T) {
	for typed, want := range map[string]string{"/modle": "/model", "/hlep": "/help", "/prof": "/profile", "/exprot": "/export", "/cop": "/copy"} {
		if got := command.Suggest(typed, command.Names()); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %q, want %s", typed, got, want)
		}
	}
	if got := command.Suggest("/zzzzzz", command.Names()); len(got) != 0 {
		t.Errorf("nothing resembles it, but %q", got)
	}
	if got := command.Complete("/pro"); !slices.Equal(got, []string{"/provider", "/problems", "/profile"}) {
		t.Errorf("completions %q", got)
	}
}

// A command stands in the list once, whatever else it may be called, and by the name that was
// begun.
func TestACommandIsOfferedOnce(t *testing.T) {
	for typed, want := range map[string][]string{
		"/the": {"/theme"}, "/themes": {"/themes"}, "/theme": {"/theme"}, "/ef": {"/effort"}, "/conf": {"/config"}, "/b": {"/btw", "/branch", "/background", "/blender"}, "/bg": {"/background"},
		"!v": nil, "!vo": nil, "/stat": {"/stats", "/status"}, "/v": {"/voice"}, "prof": nil, "e": nil, "/ex": {"/exit", "/export"}, "/artifact": {"/artifacts"},
	} {
		if got := command.Complete(typed); !slices.Equal(got, want) {
			t.Errorf("%q may become %q, want %q", typed, got, want)
		}
	}
	for _, typed := range []string{"/", "!"} {
		verbs := map[command.Verb]string{}
		for _, name := range command.Complete(typed) {
			entry, _ := command.Find(name)
			if other := verbs[entry.Verb]; other != "" {
				t.Errorf("behind %s stand both %s and %s", typed, other, name)
			}
			verbs[entry.Verb] = name
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"!v", "/help x", "usage", " !x", "\u2028", "!\xff", "/\x00"} {
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, line string, shell bool) {
		got := command.Parse(line, shell)
		if len(got.Text) > len(line) || !strings.Contains(line, got.Text) {
			t.Errorf("%q became %q", line, got.Text)
		}
		word, _, _ := strings.Cut(strings.ToLower(line), " ")
		word = strings.TrimRight(word, ";&|")
		if (word == "!v" || word == "!voice" || word == "!blender") && got.Verb == command.Run {
			t.Errorf("%q reached the shell", line)
		}
	})
}
