package system

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/spending"
	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func call(t *testing.T, service Service, env tools.Env, name, args string) string {
	t.Helper()
	registry := &toolbox.Registry{}
	registry.Add(service.Tools()...)
	tool, err := registry.Find(name, tools.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := tool.Decode(json.RawMessage(args))
	if err != nil {
		t.Fatal(err)
	}
	output, err := decoded.Run(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	return output.Text
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func TestSystemInfoOfThisMachine(t *testing.T) {
	service := New(persistence.Open("", time.Now))
	service.batteries = t.TempDir()
	got := call(t, service, tools.Env{Home: t.TempDir(), Environ: []string{"PATH=" + t.TempDir()}}, "system_info", `{}`)
	want := regexp.MustCompile(`^OS: \S.* \(\w+ \S+, \w+\)
CPU: .*\d+ threads
Load: \d+\.\d\d, \d+\.\d\d, \d+\.\d\d \(1, 5, 15 minutes\)
Memory: \d+\.\d GiB available of \d+\.\d GiB.*
Disk: / \d+\.\d GiB free of \d+\.\d GiB \(\d+% used\).*
Uptime: \d+d \d+h \d+m$`)
	if !want.MatchString(got) {
		t.Errorf("got\n%s", got)
	}
}

func TestBatteriesButNotThoseOfDevices(t *testing.T) {
	service := New(persistence.Open("", time.Now))
	service.batteries = t.TempDir()
	for path, content := range map[string]string{
		"BAT0/capacity": "81\n", "BAT0/status": "Discharging\n", "BAT1/capacity": "100\n", "BAT1/status": "Full\n",
		"AC/online": "0\n", "hidpp_battery_0/capacity": "40\n", "hidpp_battery_0/scope": "Device\n",
	} {
		write(t, filepath.Join(service.batteries, path), content, 0o600)
	}
	got := call(t, service, tools.Env{}, "system_info", `{}`)
	if !strings.Contains(got, "\nBattery: 81% (discharging), 100% (full)") {
		t.Errorf("got %s", got)
	}
}

func TestGraphicsCards(t *testing.T) {
	programs := t.TempDir()
	env := tools.Env{Environ: []string{"PATH=" + programs + ":/usr/bin:/bin"}}
	service := New(persistence.Open("", time.Now))
	write(t, filepath.Join(programs, "nvidia-smi"), `#!/bin/sh
[ "$1" = --query-gpu=name,memory.used,memory.total,utilization.gpu ] || exit 2
echo "NVIDIA GeForce RTX 3080, 1234, 10240, 7"
echo "Tesla T4, 0, 15360, 0"
`, 0o700)
	got := call(t, service, env, "system_info", `{}`)
	if !strings.HasSuffix(got, "\nGPU: NVIDIA GeForce RTX 3080, 1234 of 10240 MiB used, 7% busy; Tesla T4, 0 of 15360 MiB used, 0% busy") {
		t.Errorf("got %s", got)
	}
	write(t, filepath.Join(programs, "nvidia-smi"), "#!/bin/sh\nexit 9\n", 0o700)
	if got := call(t, service, env, "system_info", `{}`); !strings.HasSuffix(got, "\nGPU: cannot be read (nvidia-smi ended with 9)") {
		t.Errorf("got %s", got)
	}
}

func TestPrettyName(t *testing.T) {
	for release, want := range map[string]string{
		"NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n": "Debian GNU/Linux 12 (bookworm)",
		"PRETTY_NAME='Void'": "Void", "": "Linux",
	} {
		if got := prettyName(release); got != want {
			t.Errorf("%q: %q", release, got)
		}
	}
}

func TestUsageOfSessionAndLifetime(t *testing.T) {
	home := persistence.Open(t.TempDir(), time.Now)
	service := New(home)
	env := tools.Env{Conversation: tools.Conversation{Usage: messages.Usage{
		Cost: 0.0123, Turns: 3, InputTokens: 1200, CachedTokens: 800, OutputTokens: 300,
		ModelTurns: map[string]int{"claude-haiku-4.5": 1, "gpt-5.2": 2},
		ModelCost:  map[string]float64{"claude-haiku-4.5": 0.0023, "gpt-5.2": 0.01},
		ToolCalls:  map[string]int{"read_file": 1, "web_search": 4},
		Unpriced:   []string{"mystery-1"},
	}}}
	session := `Session: $0.0123, 3 model turns
  gpt-5.2: 2 model turns, $0.0100
  claude-haiku-4.5: 1 model turn, $0.0023
Tokens: 1200 in (800 of them cached), 300 out
Tool calls: web_search 4, read_file 1
Price unknown, counted as 0: mystery-1 (with --max-cost, Marvin assumes a price). Set prices under "prices:" in ~/.config/marvin/config.yaml`
	if got := call(t, service, env, "get_usage", `{}`); got != session {
		t.Errorf("got\n%s", got)
	}
	if err := spending.Of(home).Add(spending.Usage{
		Cost: 12.5, Turns: 42, OllamaTurns: 3,
		ProviderTokens: map[string]spending.Tokens{"gemini": {"input": 1000, "output": 200}},
		Calls:          map[string]int{"_provider:gemini": 3, "web_search": 7},
		ModelTurns:     map[string]int{"gemini-3-pro-preview": 42},
	}); err != nil {
		t.Fatal(err)
	}
	want := session + `

All sessions: $12.50, 42 model turns, 3 by Ollama
  gemini-3-pro-preview: 42 model turns
Tokens for gemini: 1000 in, 200 out
Tool calls: web_search 7`
	if got := call(t, service, env, "get_usage", `{"include_lifetime": "true"}`); got != want {
		t.Errorf("got\n%s", got)
	}
	write(t, filepath.Join(home.State, "usage.json"), "{", 0o600)
	if got := call(t, service, env, "get_usage", `{"include_lifetime": true}`); !strings.HasPrefix(got, session) || !strings.Contains(got, "is damaged") {
		t.Errorf("got\n%s", got)
	}
}

func TestExit(t *testing.T) {
	left := 0
	env := tools.Env{Conversation: tools.Conversation{Exit: func() { left++ }}}
	service := New(persistence.Open("", time.Now))
	if got := call(t, service, env, "exit_app", `{}`); got != "Goodbye!" || left != 1 {
		t.Errorf("%q, left %d times", got, left)
	}
	if got := call(t, service, env, "exit_app", `{"message": "See you"}`); got != "See you" || left != 2 {
		t.Errorf("%q, left %d times", got, left)
	}
}

// The name of the processor is shown if the system knows it.
func TestTheProcessorIsNamed(t *testing.T) {
	told, err := processor(t.Context(), tools.Env{})
	if err != nil || !strings.HasSuffix(told, " threads") {
		t.Errorf("%q, %v", told, err)
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	if name := regexp.MustCompile(`(?m)^model name\s*:\s*(\S+)`).FindSubmatch(info); name != nil && !strings.HasPrefix(told, string(name[1])) {
		t.Errorf("%q, not %s", told, name[1])
	}
}
