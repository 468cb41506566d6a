package custom

import (
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/artifacts"
)

func TestALongAnswerOfAToolIsKept(t *testing.T) {
	env := place(t, func(string) {})
	env.Artifacts = artifacts.New(persistence.Open(t.TempDir(), time.Now), "one")
	text, err := run(t, load(t, folder(t, "long", manifest, `echo progress >&2; seq -f 'line %06.0f' 20000`)), env, `{"text":"x"}`)
	if err != nil || len(text) > 24<<10 || !strings.HasPrefix(text, "line 000001\n") || !strings.Contains(text, "line 020000\n[all 20000 lines (240000 bytes) are stored as artifact:1: read_file") {
		t.Errorf("%d bytes, %.200q … %q, %v", len(text), text, text[max(0, len(text)-300):], err)
	}
	if kept, err := os.ReadFile(env.Artifacts.Place(1)); err != nil || strings.Count(string(kept), "\n") != 20000 || strings.Contains(string(kept), "progress") {
		t.Errorf("%d bytes, %v", len(kept), err)
	}
	text, err = run(t, load(t, folder(t, "picture", manifest, `echo R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7 | base64 -d`)), env, `{"text":"x"}`)
	if err != nil || !strings.HasPrefix(text, "[image/gif, 42 bytes: artifact:2; read_file shows") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err = run(t, load(t, folder(t, "short", manifest, `seq 5000`)), env, `{"text":"x"}`); err != nil || strings.Contains(text, "artifact:") || len(env.Artifacts.List()) != 2 {
		t.Errorf("what is shown whole is kept: %+v, %v", env.Artifacts.List(), err)
	}
}
