package app

import (
	"strings"
	"testing"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/tools"
)

// The option sets the sandbox mode, or else the variable, or else the configuration.
func TestSandboxSettingPrecedence(t *testing.T) {
	for _, row := range [][4]string{{"", "", "", ""}, {"off", "strict", "workspace", "off"}, {"", "strict", "workspace", "strict"}, {"", "", "workspace", "workspace"}, {"", "off", "", "off"}} {
		world := cli.World{Getenv: func(name string) string { return map[string]string{"MARVIN_SANDBOX": row[1]}[name] }}
		opts := cli.Options{}
		opts.Sandbox = row[0]
		if got, err := sandboxMode(world, opts, settings.Config{Sandbox: row[2]}); err != nil || got != row[3] {
			t.Errorf("%q: %q, %v", row, got, err)
		}
	}
	world := cli.World{Getenv: func(string) string { return "on" }}
	if _, err := sandboxMode(world, cli.Options{}, settings.Config{}); err == nil || err.Error() != `MARVIN_SANDBOX="on": choose off, workspace or strict` {
		t.Errorf("%v", err)
	}
	for mode, held := range map[tools.SandboxMode]string{tools.SandboxOff: "with all your permissions", tools.SandboxWorkspace: "in the sandbox only", tools.SandboxStrict: "in the sandbox only", "": "in the sandbox if it works here, otherwise with all your permissions"} {
		for _, approve := range []string{"all", "edits"} {
			var said strings.Builder
			p := &App{World: cli.World{Stderr: &said}, Config: actors.Config{Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: mode})}, Settings: settings.Config{Approve: approve}}
			p.WarnOfAll(false) // no configuration applies
			p.WarnOfAll(true)
			want := ""
			if approve == "all" {
				want = "warning: --approve all: everything runs without asking, even what cannot be undone; commands run " + held + "\n"
			}
			if said.String() != want {
				t.Errorf("%s, %s: %q", mode, approve, said.String())
			}
			p.Config.Sandbox.Close()
		}
	}
}
