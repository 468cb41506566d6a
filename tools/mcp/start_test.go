package mcp

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/settings"
	"marvin/tools"
)

func TestAServerThatCannotBeHeldIsNotStarted(t *testing.T) {
	start := func(home *persistence.Home, dir string) error {
		base := t.TempDir()
		program := filepath.Join(base, "office")
		if err := disktest.WriteProgram(program, []byte("#!/bin/sh\ntouch "+base+"/started\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxAuto, Home: base, Environ: os.Environ()})
		defer func() { _ = sandbox.Close() }()
		session, err := Connect(t.Context(), "office", settings.Server{Command: []string{program}}, Ground{
			Version: "test", Environ: os.Environ(), Dir: dir, Now: time.Now, Sandbox: sandbox, Home: home,
		})
		if err == nil {
			session.Close()
		}
		if _, err := os.Stat(base + "/started"); err == nil {
			t.Error("it was started")
		}
		return err
	}
	if err := start(damaged(t), t.TempDir()); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the server office was not started: Marvin's stored record of it is damaged, so its permissions are unknown; set them again with \"marvin mcp approve office\"") {
		t.Errorf("%v", err)
	}
	if err := start(nil, "/"); err == nil || !strings.HasPrefix(err.Error(), "the server office was not started: ") || !strings.HasSuffix(err.Error(), "\nTo run it without the sandbox, with all your permissions, add \"sandbox: off\" to its entry in config.yaml") {
		t.Errorf("%v", err)
	}
}

// A server may omit its name and its capabilities. It then has no tools, and that is not an error.
func TestAServerThatSaysNothingOfItself(t *testing.T) {
	program := filepath.Join(t.TempDir(), "silent")
	script := `#!/bin/sh
while read -r line; do
	id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	case "$line" in
	*'"initialize"'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}}" ;;
	*'"id":'*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}" ;;
	esac
done
`
	if err := disktest.WriteProgram(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	session := begun(t, settings.Server{Command: []string{program}, Free: true}, ground(t))
	manifest, err := session.Tools(t.Context())
	if err != nil || manifest.Program != "" || len(manifest.Tools) > 0 || len(manifest.Left) > 0 {
		t.Errorf("%+v, %v", manifest, err)
	}
}
