package slash_test

import (
	"slices"
	"strings"
	"testing"

	"marvin/ui/slash"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want slash.Verb
		text string
	}{
		{"", slash.Nothing, ""},
		{" \n\t", slash.Nothing, ""},
		{"hello there", slash.Prompt, "hello there"},
		{"  hello\nthere ", slash.Prompt, "hello\nthere"},
		{"/help", slash.Help, ""},
		{"/?", slash.Help, ""},
		{"/HELP model", slash.Help, "model"},
		{"/model", slash.Model, ""},
		{"/model  2 ", slash.Model, "2"},
		{"/export my talk.md", slash.Export, "my talk.md"},
		{"/new", slash.Clear, ""},
		{"/modle", slash.Unknown, "/modle"},
		{"/etc/hosts what is in it?", slash.Prompt, "/etc/hosts what is in it?"},
		{"/2 of it", slash.Prompt, "/2 of it"},
		{"/", slash.Help, ""},
		{" /", slash.Prompt, "/"},
		{"//", slash.Prompt, "//"},
		{" /model 2", slash.Prompt, "/model 2"},
		{" !ls", slash.Prompt, "!ls"},
		{"!ls -la", slash.Run, "ls -la"},
		{"! ls", slash.Run, "ls"},
		{"!", slash.Run, ""},
		{"!for i in 1 2\ndo echo $i; done", slash.Run, "for i in 1 2\ndo echo $i; done"},
		{"!shell", slash.ShellMode, ""},
		{"!SH", slash.ShellMode, ""},
		{"!sh ls -la", slash.Run, "ls -la"},
		{"!shellcheck x", slash.Run, "shellcheck x"},
		{"!code", slash.Code, ""},
		{"!code .", slash.Run, "code ."},
		{"!pro", slash.Pro, ""},
		{"!pro why\nnot", slash.Pro, "why\nnot"},
		{"!pro\twhy", slash.Pro, "why"},
		{"!profile", slash.Run, "profile"},
		{"!voice", slash.Voice, ""},
		{"!v", slash.Voice, ""},
		{"!v 10", slash.Voice, "10"},
		{"!V rm -rf x", slash.Voice, "rm -rf x"},
		{"!voice; rm x", slash.Voice, "rm x"},
		{"!blender&& rm x", slash.Blender, "rm x"},
		{"/voice 10", slash.Voice, "10"},
		{"/pro why", slash.Pro, "why"},
		{"/sh ls -la", slash.Run, "ls -la"},
		{"/usage", slash.Usage, ""},
		{"/quit", slash.Leave, ""},
		{"!vim x", slash.Run, "vim x"},
		{"!blender", slash.Blender, ""},
		{"!blender render", slash.Blender, "render"},
		{"quit", slash.Leave, ""},
		{" EXIT ", slash.Leave, ""},
		{"Preferences", slash.Preferences, ""},
		{"profiles", slash.Profile, ""},
		{"usage", slash.Usage, ""},
		{"saved", slash.Saved, ""},
		{"saved my life", slash.Prompt, "saved my life"},
		{"exit the building", slash.Prompt, "exit the building"},
		{"usage\nof words", slash.Prompt, "usage\nof words"},
		{"quit.", slash.Prompt, "quit."},
		{"help", slash.Prompt, "help"},
	} {
		if got := slash.Parse(c.line, false); got != (slash.Command{Verb: c.want, Text: c.text}) {
			t.Errorf("%q: %+v, want %d %q", c.line, got, c.want, c.text)
		}
	}
}

func TestInShellModeEveryLineIsACommand(t *testing.T) {
	for _, c := range []struct {
		line string
		want slash.Verb
		text string
	}{
		{"ls", slash.Run, "ls"},
		{"usage", slash.Run, "usage"},
		{"saved my life", slash.Run, "saved my life"},
		{"/bin/ls", slash.Run, "/bin/ls"},
		{"/unknown x", slash.Run, "/unknown x"},
		{"exit", slash.ShellMode, ""},
		{"!shell", slash.ShellMode, ""},
		{"quit", slash.Leave, ""},
		{"/help", slash.Help, ""},
		{"!v", slash.Voice, ""},
		{"!ls", slash.Run, "ls"},
		{"", slash.Nothing, ""},
	} {
		if got := slash.Parse(c.line, true); got != (slash.Command{Verb: c.want, Text: c.text}) {
			t.Errorf("%q: %+v, want %d %q", c.line, got, c.want, c.text)
		}
	}
}

// Parse understands every name in the table, and no two names are equal.
func TestTheTableIsWhatIsUnderstood(t *testing.T) {
	seen := map[string]bool{}
	for _, entry := range slash.Table {
		if entry.Verb == slash.Run {
			continue
		}
		for _, name := range append([]string{entry.Name}, entry.Aliases...) {
			if seen[name] {
				t.Errorf("%s is twice in the table", name)
			}
			seen[name] = true
			if got := slash.Parse(name, false); got.Verb != entry.Verb {
				t.Errorf("%s is understood as %d", name, got.Verb)
			}
		}
		for _, example := range entry.Examples {
			if got := slash.Parse(example, false); got.Verb != entry.Verb && got.Verb != slash.Run {
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
		if got := slash.Suggest(typed, slash.Names()); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %q, want %s", typed, got, want)
		}
	}
	if got := slash.Suggest("/zzzzzz", slash.Names()); len(got) != 0 {
		t.Errorf("nothing resembles it, but %q", got)
	}
	if got := slash.Complete("/pro"); !slices.Equal(got, []string{"/provider", "/problems", "/profile"}) {
		t.Errorf("completions %q", got)
	}
}

func TestACommandIsOfferedOnce(t *testing.T) {
	for typed, want := range map[string][]string{
		"/the": {"/theme"}, "/themes": {"/themes"}, "/theme": {"/theme"}, "/ef": {"/effort"}, "/conf": {"/config"}, "/b": {"/btw", "/branch", "/background", "/blender"}, "/bg": {"/background"},
		"!v": nil, "!vo": nil, "/stat": {"/stats", "/status"}, "/v": {"/voice"}, "prof": nil, "e": nil, "/ex": {"/exit", "/export"}, "/artifact": {"/artifacts"},
	} {
		if got := slash.Complete(typed); !slices.Equal(got, want) {
			t.Errorf("%q may become %q, want %q", typed, got, want)
		}
	}
	for _, typed := range []string{"/", "!"} {
		verbs := map[slash.Verb]string{}
		for _, name := range slash.Complete(typed) {
			entry, _ := slash.Find(name)
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
		got := slash.Parse(line, shell)
		if len(got.Text) > len(line) || !strings.Contains(line, got.Text) {
			t.Errorf("%q became %q", line, got.Text)
		}
		word, _, _ := strings.Cut(strings.ToLower(line), " ")
		word = strings.TrimRight(word, ";&|")
		if (word == "!v" || word == "!voice" || word == "!blender") && got.Verb == slash.Run {
			t.Errorf("%q reached the shell", line)
		}
	})
}
