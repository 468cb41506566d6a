package calendar

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a Marvin at a Friday noon in Stockholm, with a crontab that is a file.
type fixture struct {
	t       *testing.T
	service Service
	home    *persistence.Home
	environ []string
	dir     string
	now     time.Time
}

// Crontab lines use the machine's zone; tests fix it to UTC.
func init() { time.Local = time.UTC }

func newFixture(t *testing.T) *fixture {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	d := &fixture{t: t, dir: t.TempDir(), now: time.Date(2026, 2, 13, 12, 0, 0, 0, zone)}
	script := "#!/bin/sh\ncase \"$1\" in\n-l) [ -f \"$SPOOL\" ] || { echo 'no crontab for tester' >&2; exit 1; }; exec cat \"$SPOOL\" ;;\n-) exec cat > \"$SPOOL\" ;;\nesac\n"
	if err := disktest.WriteProgram(filepath.Join(d.dir, "crontab"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	d.environ = []string{"PATH=" + d.dir + ":/usr/bin:/bin", "SPOOL=" + d.dir + "/spool", "MARVIN_PASS_ENV=SPOOL"}
	d.home = persistence.Open(d.dir, func() time.Time { return d.now })
	d.service = New(d.home, nil, "/usr/bin/marvin")
	d.service.ringer.NoCron, d.service.ringer.SystemZone = func([]string) string { return "" }, d.dir+"/no zone"
	return d
}

func (d *fixture) path() string { return filepath.Join(d.home.Profile("main").Dir, "calendar.ics") }

func (d *fixture) put(path, content string) {
	d.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *fixture) file(path string) string { content, _ := os.ReadFile(path); return string(content) }

func (d *fixture) call(name string, args any) string {
	d.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, tool := range d.service.Tools() {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode(raw)
		if err != nil {
			return err.Error()
		}
		output, err := call.Run(d.t.Context(), tools.Env{Environ: d.environ, Profile: d.home.Profile("main").Dir})
		if err != nil {
			return err.Error()
		}
		return output.Text
	}
	d.t.Fatalf("no tool %s", name)
	return ""
}

type args = map[string]any

func (d *fixture) expect(name string, in args, want string) string {
	d.t.Helper()
	got := d.call(name, in)
	if !strings.Contains(got, want) {
		d.t.Errorf("%s %v: %q, want %q in it", name, in, got, want)
	}
	return got
}
