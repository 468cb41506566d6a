package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// attack is a file of testdata/redteam: the attempt in YAML and its files. A name below home/ or
// project/ is a file of the user or the project (home/project); one below www/ is served by the
// stranger's server. before.sh, beside.sh, after.sh and control.sh run outside the sandbox.
// {home}, {project}, {marker}, {evil} (the server's address) and {other} (where it redirects) are
// replaced in every file and value; {i} is the number of a repeated call.
type attack struct {
	Name    string `yaml:"-"`
	Finding string `yaml:"finding"`
	What    string `yaml:"what"`
	Quick   bool   `yaml:"quick"` // it, or every second such attack with -short, is tried with every test

	Modes    []string          `yaml:"modes"`    // more arguments, each a run of its own
	Args     []string          `yaml:"args"`     // instead of -n -p go
	Env      []string          `yaml:"env"`      // more variables
	Stdin    string            `yaml:"stdin"`    // what comes on standard input
	Terminal bool              `yaml:"terminal"` // standard output and error are one
	Rounds   [][]move          `yaml:"rounds"`   // what the model says to the prompt
	Endless  bool              `yaml:"endless"`  // the last round comes again and again
	Agents   map[string]rounds `yaml:"agents"`   // the same for sub-agents, by their prompt
	Sparse   map[string]int64  `yaml:"sparse"`   // files of that many bytes without content
	Many     map[string]int    `yaml:"many"`     // directories with that many files
	Chmod    map[string]string `yaml:"chmod"`    // file modes, octal
	Swap     map[string]string `yaml:"swap"`     // names that are a directory and a link to this one, in turn, all the time
	Sockets  []string          `yaml:"sockets"`  // sockets of daemons that create the marker on a connection
	Moved    map[string]string `yaml:"moved"`    // new names of sockets that already listen
	Views    map[string]string `yaml:"views"`    // absolute directories that show another one, by a mount
	Without  string            `yaml:"without"`  // a directory of the system that is not there
	Umask    string            `yaml:"umask"`    // octal
	Seconds  int               `yaml:"seconds"`  // how long it may take on an idle machine; 60 if zero
	Escaped  []string          `yaml:"escaped"`  // any of them means that it worked: see escapes
	Held     []string          `yaml:"held"`     // all of them hold in a run that was held: it was tried, and refused for the reason
	Files    []txtar.File      `yaml:"-"`
	places   *strings.Replacer // of the scene it runs in
}

type rounds = [][]move

// move is a call of a tool, or a text of the model.
type move struct {
	Tool  string         `yaml:"tool"`
	Args  map[string]any `yaml:"args"`
	Times int            `yaml:"times"`
	Fill  map[string]int `yaml:"fill"` // arguments of that many bytes
	Say   string         `yaml:"say"`
	Talk  bool           `yaml:"talk"` // it says something, and does not stop
}

// readAttacks reads all attacks, in the order of their names.
func readAttacks(dir string) ([]attack, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []attack
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		a, err := parseAttack(strings.TrimSuffix(filepath.Base(path), ".txtar"), content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, a)
	}
	return all, nil
}

func parseAttack(name string, content []byte) (attack, error) {
	archive := txtar.Parse(content)
	a := attack{Name: name, Args: []string{"-n", "-p", "go"}, Modes: []string{""}, Seconds: 60, Files: archive.Files}
	if err := yaml.UnmarshalWithOptions(archive.Comment, &a, yaml.Strict()); err != nil {
		return a, err
	}
	switch {
	case a.Finding == "" || a.What == "" || len(a.Escaped) == 0:
		return a, fmt.Errorf("it needs finding, what and escaped")
	case a.file("control.sh") == "":
		return a, fmt.Errorf("it needs control.sh, which shows that the payload does something")
	}
	return a, nil
}

func (a attack) file(name string) string {
	for _, file := range a.Files {
		if file.Name == name {
			return string(file.Data)
		}
	}
	return ""
}

// answer returns the next round of the model in the conversation, and "done" after the last one.
func (a attack) answer(request modeltest.Request) modeltest.Step {
	prompt, round := "", 0
	for _, message := range request.Messages {
		switch message.Role {
		case messages.User:
			prompt, round = message.Text, 0
		case messages.Assistant:
			round++
		}
	}
	script := a.Rounds
	for name, agent := range a.Agents {
		if strings.Contains(prompt, name) {
			script = agent
		}
	}
	if a.Endless && len(script) > 0 {
		round = min(round, len(script)-1)
	}
	if round >= len(script) {
		return modeltest.Text("done")
	}
	return a.step(script[round])
}

func (a attack) step(round []move) modeltest.Step {
	var step modeltest.Step
	var calls []modeltest.Call
	for _, c := range round {
		if c.Say != "" {
			step = step.Append(modeltest.Text(a.places.Replace(c.Say)))
			continue
		}
		if c.Talk {
			step = step.Append(modeltest.EndlessText(64))
			continue
		}
		arguments, err := json.Marshal(c.arguments())
		if err != nil {
			arguments = []byte(err.Error())
		}
		for i := range max(1, c.Times) {
			text := strings.ReplaceAll(string(arguments), "{i}", fmt.Sprint(i))
			calls = append(calls, modeltest.Call{Name: c.Tool, Args: a.places.Replace(text)})
		}
	}
	if len(calls) > 0 {
		step = step.Append(modeltest.Calls(calls...))
	}
	return step
}

func (c move) arguments() map[string]any {
	all := maps.Clone(c.Args)
	for name, size := range c.Fill {
		if all == nil {
			all = map[string]any{}
		}
		all[name] = strings.Repeat("x", size)
	}
	return all
}

// chosen returns the attacks whose name or finding contains a word.
func chosen(all []attack, word string) []attack {
	return slices.DeleteFunc(slices.Clone(all), func(a attack) bool {
		return word != "1" && !strings.Contains(a.Name, word) && a.Finding != word
	})
}
