package external

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Agent is a program that speaks the Agent Client Protocol.
type Agent struct {
	Name    string
	Command []string
	Env     []string      // names of the variables that the agent gets
	Login   []string      // paths of login files to copy, such as ~/.codex/auth.json
	Hosts   []string      // hosts that the agent may contact without asking the user
	Silence time.Duration // maximum time without an update
	Free    bool          // the agent runs without the sandbox
	// Held contains arguments that turn off the agent's own sandbox. They are used only in Marvin's
	// sandbox, in which the agent's sandbox cannot start.
	Held []string
}

// usualSilence is the default value of [Agent.Silence].
const usualSilence = 3 * time.Minute

type usually struct {
	commands [][]string // default commands; the first installed one is used
	agent    Agent
}

// startedBy reports whether a command starts one of the default programs. It compares only base
// names.
func (u usually) startedBy(command []string) bool {
	return len(command) > 0 && slices.ContainsFunc(u.commands, func(usual []string) bool { return usual[0] == filepath.Base(command[0]) })
}

// knownAgents contains the agents that need no configuration. An agent can be used if its program
// is on PATH.
var knownAgents = map[string]usually{
	"claude": {[][]string{{"claude-agent-acp"}, {"claude-code-acp"}}, Agent{
		Env:   []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"},
		Login: []string{"~/.claude/.credentials.json", "~/.claude.json"},
		Hosts: []string{"api.anthropic.com", "console.anthropic.com", "platform.claude.com"},
	}},
	"codex": {[][]string{{"codex-acp"}}, Agent{
		Env:   []string{"OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL"},
		Login: []string{"~/.codex/auth.json"},
		Hosts: []string{"api.openai.com", "auth.openai.com", "chatgpt.com"},
		// With these arguments, codex asks Marvin for permission.
		Held: []string{"-c", `sandbox_mode="danger-full-access"`, "-c", `approval_policy="untrusted"`},
	}},
	"gemini": {[][]string{{"gemini", "--acp"}}, Agent{
		Env:   []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT"},
		Login: []string{"~/.gemini/oauth_creds.json", "~/.gemini/google_accounts.json", "~/.gemini/settings.json"},
		Hosts: []string{"generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"},
	}},
	"opencode": {[][]string{{"opencode", "acp"}}, Agent{
		Env:   []string{"OPENCODE_API_KEY", "OPENCODE_CONFIG_CONTENT", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"},
		Login: []string{"~/.local/share/opencode/auth.json", "~/.config/opencode/opencode.json"},
		Hosts: []string{"opencode.ai", "models.dev", "api.anthropic.com", "api.openai.com"},
	}},
	"qwen": {[][]string{{"qwen", "--acp"}}, Agent{
		Env:   []string{"DASHSCOPE_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"},
		Login: []string{"~/.qwen/oauth_creds.json", "~/.qwen/settings.json"},
		Hosts: []string{"dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "chat.qwen.ai", "portal.qwen.ai"},
	}},
	"copilot": {[][]string{{"copilot", "--acp"}}, Agent{
		Env:   []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"},
		Login: []string{"~/.copilot/config.json"},
		Hosts: []string{"github.com", "api.github.com", "api.githubcopilot.com", "api.individual.githubcopilot.com", "api.business.githubcopilot.com", "api.enterprise.githubcopilot.com"},
	}},
}

// Find returns the agent with the given name, from the table in this file or from config.yaml.
// Settings in config.yaml take precedence. found is false if there is no such agent.
func Find(configured map[string]settings.Agent, environ []string, name string) (agent Agent, found bool, err error) {
	name = strings.ToLower(strings.TrimSpace(name))
	of, isConfigured := configured[name]
	usual, isKnown := knownAgents[name]
	if !isConfigured && !isKnown {
		return Agent{}, false, nil
	}
	agent = usual.agent
	agent.Name, agent.Silence, agent.Free = name, usualSilence, of.Free
	if len(of.Command) > 0 {
		agent.Command = of.Command
	}
	if of.Env != nil {
		agent.Env = of.Env
	}
	if of.Login != nil {
		agent.Login = of.Login
	}
	if of.Hosts != nil {
		agent.Hosts = of.Hosts
	}
	if of.Timeout > 0 {
		agent.Silence = of.Timeout
	}
	for _, command := range usual.commands {
		if _, err := proc.Find(command[0], environ); err == nil && len(agent.Command) == 0 {
			agent.Command = command
		}
	}
	if !usual.startedBy(agent.Command) {
		agent.Held = nil
	}
	switch {
	case of.Off:
		return agent, true, tools.Advise(fmt.Errorf("the agent %s is switched off", name), "The user can switch it on with \"enabled: true\" under \"agents:\", \"%s:\" in config.yaml.", name)
	case len(agent.Command) == 0 && isKnown:
		return agent, true, tools.Advise(fmt.Errorf("the agent %s is not installed: %w: %s", name, proc.ErrNotFound, usual.commands[0][0]),
			"The user can install it, or set its command under \"agents:\", \"%s:\" in config.yaml. Or launch without \"agent\".", name)
	}
	return agent, true, nil
}
