package settings

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Agent is an entry in config.yaml for an external agent, such as codex. It defines a new agent or
// changes the built-in agent with the same name. A nil list keeps the built-in list.
type Agent struct {
	Command []string
	Env     []string      // names of the variables that the agent gets
	Login   []string      // login files, such as ~/.codex/auth.json, to copy to the agent's home
	Hosts   []string      // hosts that the agent may contact without asking for approval
	Timeout time.Duration // a silent agent counts as hung after this time; 0 means the default
	Off     bool
	Free    bool // the agent runs without the sandbox
}

type agentFile struct {
	Command commandLine `yaml:"command"`
	Env     []string    `yaml:"env"`
	Login   []string    `yaml:"login"`
	Hosts   []string    `yaml:"hosts"`
	Timeout patience    `yaml:"timeout"`
	Enabled *bool       `yaml:"enabled"`
	Sandbox onOff       `yaml:"sandbox"`
}

var (
	variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })
	hostName     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)
	})
)

func agentsOf(path string, files map[string]*agentFile) (map[string]Agent, error) {
	if len(files) == 0 {
		return nil, nil
	}
	all := make(map[string]Agent, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := cmp.Or(files[name], &agentFile{})
		if err := file.check(name); err != nil {
			return nil, fmt.Errorf("%s: agents: %w; correct the entry or remove it", path, err)
		}
		key := strings.ToLower(name)
		if _, twice := all[key]; twice {
			return nil, fmt.Errorf("%s: agents: %s is listed twice; remove one", path, key)
		}
		all[key] = Agent{
			Command: file.Command, Env: file.Env, Login: file.Login, Hosts: file.Hosts, Timeout: time.Duration(file.Timeout),
			Off: file.Enabled != nil && !*file.Enabled, Free: file.Sandbox == "off" || file.Sandbox == "false",
		}
	}
	return all, nil
}

func (f *agentFile) check(name string) error {
	if !serverName().MatchString(name) {
		return fmt.Errorf("%q is not a name for an agent; use at most 40 letters, digits, - and _", name)
	}
	for _, variable := range f.Env {
		if !variableName().MatchString(variable) {
			return fmt.Errorf("%s: \"env:\" must list names of variables, without values, but %q is not a name", name, variable)
		}
	}
	for _, login := range f.Login {
		if !strings.HasPrefix(login, "~/") || !isPlace(login) {
			return fmt.Errorf("%s: login: %q is not a file such as ~/.codex/auth.json", name, login)
		}
	}
	for _, host := range f.Hosts {
		if !hostName().MatchString(host) {
			return fmt.Errorf("%s: hosts: %q is not a host such as api.example.com", name, host)
		}
	}
	return nil
}
