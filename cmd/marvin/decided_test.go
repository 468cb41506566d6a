package main

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"marvin/actors"
	"marvin/persistence/settings"
	"marvin/tools"
)

// A value of another program's configuration is one of config.yaml: names in braces are
// variables, any other dollar is one.
func TestValuesOfOtherProgramsAsOurs(t *testing.T) {
	for theirs, want := range map[string]string{
		"": "", "plain": "plain", "${HOME}/x": "${HOME}/x", "${env:TOKEN}": "${TOKEN}", "a${A_1}b${env:z}c": "a${A_1}b${z}c",
		"$": "$$", "a$b": "a$$b", "$$": "$$$$", "${": "$${", "${a": "$${a", "{a}": "{a}", "$a}": "$$a}", "${a-b}": "$${a-b}", "${a b}": "$${a b}", "${input:key}": "$${input:key}", "${é}": "$${é}", "$x${y}": "$$x${y}",
		"${azAZ09_}": "${azAZ09_}", "${a:}": "$${a:}", "${a/}": "$${a/}", "${a@}": "$${a@}", "${a[}": "$${a[}", "${a`}": "$${a`}", "${a{}": "$${a{}",
	} {
		if got := ours(theirs); got != want {
			t.Errorf("%q becomes %q, want %q", theirs, got, want)
		}
	}
}

// Servers are read in the form of most programs, or in VS Code's, up to a length.
func TestServersOfOtherProgramsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers":{"a":{},"b":{}},"servers":{"c":{}}}`: "a b", `{"servers":{"c":{}}}`: "c", `{"mcpServers":{},"servers":{"c":{}}}`: "", `{}`: "", ` `: "! it is not what an mcp.json holds: unexpected end of JSON input",
		`[]`:                             "! it is not what an mcp.json holds: json: cannot unmarshal array into Go value of type struct { Servers map[string]main.broughtServer \"json:\\\"mcpServers\\\"\"; VSCode map[string]main.broughtServer \"json:\\\"servers\\\"\" }",
		`{}` + strings.Repeat(" ", 2046): "", `{}` + strings.Repeat(" ", 2047): "! it has more than 2 KB",
	} {
		found, err := decodeOffers(strings.NewReader(text), 2048)
		got := strings.Join(slices.Sorted(maps.Keys(found)), " ")
		if err != nil {
			got = "! " + err.Error()
		}
		if got != want {
			t.Errorf("%.60q: %s, want %s", text, got, want)
		}
	}
	if _, err := decodeOffers(failing{}, 9); err == nil || err.Error() != "the disk is gone" {
		t.Errorf("%v", err)
	}
	for want, server := range map[string]settings.Server{
		"s (run -x)":                  {Command: []string{"run", "-x"}},
		"s (https://a, with A B key)": {URL: "https://a", Command: []string{"not"}, Env: map[string]string{"B": "1", "A": "2"}, Headers: map[string]string{"key": "x"}},
	} {
		if got := (offer{Name: "s", Server: server}).told(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// failing is a file that cannot be read.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

// How a server is doing is said in a line, with what is wrong below it.
func TestHowAServerIsDoing(t *testing.T) {
	many := strings.Split("a b c d e f", " ")
	for want, state := range map[string]actors.ServerState{
		"s: off":                       {State: actors.ServerOff},
		"s: off, 2 tools":              {State: actors.ServerOff, Looked: true, Tools: 2},
		"s: runs, not looked at yet":   {State: "runs"},
		"s: not started, 1 tool":       {State: actors.ServerNotStarted, Looked: true, Tools: 1},
		"s: runs, 0 tools\n  it broke": {State: "runs", Looked: true, Err: "it broke"},
		"s: runs, 6 tools, not approved as they are now: a, b, c, d, e (/mcp tools s shows them, /mcp approve s approves them)": {State: "runs", Looked: true, Tools: 6, Unapproved: many},
		"s: runs, 6 tools, not approved as they are now: a (/mcp tools s shows them, /mcp approve s approves them)":             {State: "runs", Looked: true, Tools: 6, Unapproved: many[:1]},
	} {
		state.Name = "s"
		if got := serverText(state); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Where a person looks away is said as they chose, else as their terminal can.
func TestWhatATerminalCan(t *testing.T) {
	for _, row := range [][3]string{{"none", "ghostty", "none"}, {"", "iTerm.app", "osc9"}, {"", "WezTerm", "osc9"}, {"", "ghostty", "osc9"}, {"", "Apple_Terminal", "bell"}, {"", "", "bell"}} {
		if got := notifies(row[0], row[1]); got != row[2] {
			t.Errorf("%q on %q: %s", row[0], row[1], got)
		}
	}
	for kind, does := range map[string]bool{
		"xterm-256color": true, "tmux-256color": true, "screen": true, "linux": true, "vt220": true, "rxvt-unicode": true, "alacritty": true, "foot": true, "xterm-kitty": true, "kitty": true, "wezterm": true,
		"ghostty": true, "st-256color": true, "konsole": true, "gnome": true, "dumb": false, "": false, "emacs": false,
	} {
		if scrolls(kind) != does {
			t.Errorf("%q scrolls: %v", kind, !does)
		}
	}
}

// What config.yaml says of a fleet holds where no flag says otherwise, files from the home directory.
func TestAFleetOfTheConfiguration(t *testing.T) {
	written := settings.Fleet{URL: "nats://a", Stream: "mine", Creds: "~/c", NKey: "/n", CA: "~/a", Cert: "x", CertKey: "~/k"}
	want := fleetFlags{Fleet: "nats://a", Stream: "mine", Creds: "/home/c", NKey: "/n", CA: "/home/a", Cert: "x", CertKey: "/home/k"}
	for _, given := range []string{"", usualStream} {
		if got := (fleetFlags{Stream: given}).configured(written, "/home"); got != want {
			t.Errorf("%+v", got)
		}
	}
	flags := fleetFlags{Stream: "other", Creds: "1", NKey: "2", CA: "3", Cert: "4", CertKey: "5"}
	want = flags
	want.Fleet = "nats://a"
	if got := flags.configured(written, "/home"); got != want {
		t.Errorf("%+v", got)
	}
	if got := (fleetFlags{Stream: "other"}).configured(settings.Fleet{URL: "u"}, "/home"); got != (fleetFlags{Fleet: "u", Stream: "other"}) {
		t.Errorf("%+v", got)
	}
	world := World{Dir: "/d"}
	name := func(file, out, batch, host string) string {
		wish := batchCommand{Output: out, Batch: batch}
		wish.Args.File = file
		return wish.name(world, host)
	}
	same := name("p", "o", "", "h")
	if len(same) != 12 || same != name("/d/p", "/d/x/../o", "", "h") || same == name("p", "o", "", "g") || same == name("p", "", "", "h") || same == name("q", "o", "", "h") || name("p", "o", "mine", "h") != "mine" {
		t.Errorf("%s", same)
	}
	for _, out := range []string{"", "-"} {
		if once := name("-", out, "", "h"); len(once) != 12 || once == name("-", out, "", "h") || once != strings.ToLower(once) {
			t.Errorf("prompts of a pipe are called %s", once)
		}
	}
	if name("-", "o", "", "h") != name("-", "/d/o", "", "h") {
		t.Error("results in a file are those of another batch")
	}
}

// The option says how commands are held, else the variable, else the configuration.
func TestWhoSaysHowCommandsAreHeld(t *testing.T) {
	for _, row := range [][4]string{{"", "", "", ""}, {"off", "strict", "workspace", "off"}, {"", "strict", "workspace", "strict"}, {"", "", "workspace", "workspace"}, {"", "off", "", "off"}} {
		world := World{Getenv: func(name string) string { return map[string]string{"MARVIN_SANDBOX": row[1]}[name] }}
		opts := options{}
		opts.Sandbox = row[0]
		if got, err := sandboxMode(world, opts, settings.Config{Sandbox: row[2]}); err != nil || got != row[3] {
			t.Errorf("%q: %q, %v", row, got, err)
		}
	}
	world := World{Getenv: func(string) string { return "on" }}
	if _, err := sandboxMode(world, options{}, settings.Config{}); err == nil || err.Error() != `MARVIN_SANDBOX="on": choose off, workspace or strict` {
		t.Errorf("%v", err)
	}
	for mode, held := range map[tools.SandboxMode]string{tools.SandboxOff: "with all your rights", tools.SandboxWorkspace: "in the sandbox only", tools.SandboxStrict: "in the sandbox only", "": "in the sandbox where it can hold them, else with all your rights"} {
		for _, approve := range []string{"all", "edits"} {
			var said strings.Builder
			p := &parts{world: World{Stderr: &said}, config: actors.Config{Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: mode})}, settings: settings.Config{Approve: approve}}
			p.warnOfAll(false) // nobody is there whose configuration counts
			p.warnOfAll(true)
			want := ""
			if approve == "all" {
				want = "warning: --approve all: everything runs unasked, also what cannot be undone; commands " + held + "\n"
			}
			if said.String() != want {
				t.Errorf("%s, %s: %q", mode, approve, said.String())
			}
			p.config.Sandbox.Close()
		}
	}
}

// What a repository says about itself by the files that are there.
func TestWhatARepositorySaysOfItself(t *testing.T) {
	for _, row := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{}, ""},
		{map[string]string{"go.mod": "module x"}, "go build ./...|build|go.mod go test ./...|test|go.mod go vet ./...|look for mistakes|go.mod"},
		{map[string]string{"Cargo.toml": "x"}, "cargo build|build|Cargo.toml cargo test|test|Cargo.toml"},
		{map[string]string{"pom.xml": "x", "build.gradle": "x", "tox.ini": "x"}, "mvn test|test|pom.xml gradle test|test|build.gradle tox|test|tox.ini"},
		{map[string]string{"CMakeLists.txt": "x", "mix.exs": "x", "Gemfile": "x"}, "cmake -B build && cmake --build build|build|CMakeLists.txt mix test|test|mix.exs bundle exec rake|the usual task|Gemfile"},
		{map[string]string{"pyproject.toml": "[tool.pytest]"}, "python -m pytest|test|pyproject.toml"},
		{map[string]string{"pyproject.toml": "[project]"}, "python -m pip install -e .|install for work on it|pyproject.toml"},
		{map[string]string{"package.json": `{"scripts":{"test":"a` + "`b" + `","build":"c"}}`}, "npm run build|`c`|package.json npm run test|`a'b`|package.json"},
		{map[string]string{"package.json": `{"scripts":{"t":"x"}}`, "pnpm-lock.yaml": ""}, "pnpm t|`x`|package.json"},
		{map[string]string{"package.json": `{"scripts":{"t":"x"}}`, "yarn.lock": ""}, "yarn t|`x`|package.json"},
		{map[string]string{"package.json": `{"scripts":{"t":"x"}}`, "bun.lockb": ""}, "bun run t|`x`|package.json"},
		{map[string]string{"package.json": `{"scripts":[]}`}, ""},
	} {
		root := fstest.MapFS{}
		for name, text := range row.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		s := survey{root: root}
		s.makefile()
		s.node()
		s.others()
		var all []string
		for _, one := range s.commands {
			all = append(all, one.line+"|"+one.about+"|"+one.from)
		}
		if got := strings.Join(all, " "); got != row.want {
			t.Errorf("%v says %s, want %s", row.files, got, row.want)
		}
	}
	for text, want := range map[string]string{
		"# Title\n\nWhat it is.\nMore": "What it is.", "Title\n===\nx": "Title", "[badge]\n![b](c)\n|a|\n`x`\n*y*\n<p>\n- z\n  first ": "first", "": "Describe the project in one sentence.", "#\n=": "Describe the project in one sentence.",
		strings.Repeat("é", 201): strings.Repeat("é", 200) + "…", strings.Repeat("é", 200): strings.Repeat("é", 200),
	} {
		s := survey{root: fstest.MapFS{"README": &fstest.MapFile{Data: []byte(text)}, "readme.md": &fstest.MapFile{Data: []byte("")}}}
		if got := s.about(); got != want {
			t.Errorf("%q is about %q", text, got)
		}
	}
}
