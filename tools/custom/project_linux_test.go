package custom

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/persistence/disktest"
	"marvin/tools"
)

func TestAToolOfAProject(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // otherwise the copy would be in /tmp, which the tool cannot see
	top := t.TempDir()
	home := persistence.Open(filepath.Join(top, "home"), time.Now)
	env := place(t, func(string) {})
	folder := filepath.Join(env.Dir, customtools.ProjectDir, "count")
	script := "#!/bin/sh\necho run; touch here; touch " + filepath.Join(top, "there") + " 2>/dev/null; exit 0\n"
	if err := customtools.Make(folder, map[string]string{"tool.yaml": manifest, "run": script}, "run"); err != nil {
		t.Fatal(err)
	}
	brought := customtools.ProjectTools{Home: home, Dir: env.Dir}
	offers, problems := brought.Offers()
	if len(offers) != 1 || problems != nil || offers[0].Accepted {
		t.Fatalf("%+v %v", offers, problems)
	}
	if err := brought.Accept(offers[0]); err != nil {
		t.Fatal(err)
	}
	if offers, problems = brought.Offers(); len(offers) != 1 || problems != nil || !offers[0].Accepted {
		t.Fatalf("%+v %v", offers, problems)
	}
	tool, err := OfProject(offers[0].Tool, func() error { return brought.CheckAccepted(offers[0]) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, tool, env, `{"text":"x"}`); !errors.Is(err, tools.ErrUnconfined) {
		t.Errorf("without a sandbox: %v", err)
	}
	for _, mode := range []tools.SandboxMode{tools.SandboxOff, tools.SandboxAuto} {
		env.Approved = true
		env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: mode, Home: home.User, State: home.State, Environ: env.Environ})
		t.Cleanup(func() { _ = env.Sandbox.Close() })
		text, err := run(t, tool, env, `{"text":"x"}`)
		if errors.Is(err, tools.ErrUnconfined) {
			t.Skipf("this system has no complete sandbox: %v", err)
		}
		if err != nil || text != "run\n" {
			t.Errorf("%q %v", text, err)
		}
	}
	for path, want := range map[string]bool{filepath.Join(env.Dir, "here"): true, filepath.Join(top, "there"): false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := disktest.WriteProgram(filepath.Join(folder, "run"), []byte("#!/bin/sh\necho other\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if text, err := run(t, tool, env, `{"text":"x"}`); err == nil || text != "" || !strings.Contains(err.Error(), "changed since the user accepted it") {
		t.Errorf("%q %v", text, err)
	}
	// After a crash between copying and accepting, the copy is not accepted.
	changed, _ := brought.Offers()
	if len(changed) != 1 || changed[0].Hash == offers[0].Hash {
		t.Fatalf("%+v", changed)
	}
	copies := filepath.Dir(filepath.Dir(offers[0].Tool.Dir))
	if err := os.MkdirAll(filepath.Join(copies, changed[0].Hash, "count"), 0o700); err != nil {
		t.Fatal(err)
	}
	if changed, _ = brought.Offers(); len(changed) != 1 || changed[0].Accepted {
		t.Errorf("a copy alone is no acceptance: %+v", changed)
	}
}

func TestAToolOfAProjectBringsItsProgram(t *testing.T) {
	for _, command := range [][]string{{"./../run"}, {"bin/run"}, {"../run"}, {"sh", "./../x"}} {
		if _, err := OfProject(customtools.Tool{Name: "one", Description: "d", Command: command, Dir: t.TempDir()}, nil); err == nil || !strings.Contains(err.Error(), "outside the tool's folder") {
			t.Errorf("%q: %v", command, err)
		}
	}
}

func TestProjectToolHasNoNetworkUnlessDeclared(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	reached := make(chan string, 8)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.URL.Path }))
	t.Cleanup(server.Close)
	port := server.URL[strings.LastIndexByte(server.URL, ':')+1:]
	top := t.TempDir()
	home := persistence.Open(filepath.Join(top, "home"), time.Now)
	env := place(t, func(string) {})
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxAuto, Home: home.User, State: home.State, Environ: env.Environ})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	for _, effect := range []string{"read", "write", "irreversible", "outside"} {
		folder := filepath.Join(env.Dir, customtools.ProjectDir, "count_"+effect)
		said := strings.Replace(manifest, "effect: read", "effect: "+effect, 1)
		script := "#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/" + port + " && printf 'GET /" + effect + " HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3\nexit 0\n"
		if err := customtools.Make(folder, map[string]string{"tool.yaml": said, "run": script}, "run"); err != nil {
			t.Fatal(err)
		}
		brought := customtools.ProjectTools{Home: home, Dir: env.Dir}
		offers, problems := brought.Offers()
		at := slices.IndexFunc(offers, func(offer customtools.Offer) bool { return !offer.Accepted })
		if at < 0 {
			t.Fatal(offers, problems)
		}
		if err := brought.Accept(offers[at]); err != nil {
			t.Fatal(err)
		}
		if offers, _ = brought.Offers(); !offers[at].Accepted {
			t.Fatal(offers)
		}
		tool, err := OfProject(offers[at].Tool, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if text, err := run(t, tool, env, `{"text":"secret"}`); errors.Is(err, tools.ErrUnconfined) {
			t.Skip(err)
		} else if err != nil {
			t.Errorf("%s: %q %v", effect, text, err)
		}
	}
	close(reached)
	var all []string
	for path := range reached {
		all = append(all, path)
	}
	if !slices.Equal(all, []string{"/outside"}) {
		t.Errorf("the server was reached by %q", all)
	}
}
