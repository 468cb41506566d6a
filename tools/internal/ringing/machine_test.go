package ringing_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/personal"
	"marvin/tools/internal/ringing"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// machine is a machine with a crontab(1) that stores a file, a notify-send that records
// notifications, and an ntfy server that records messages.
type machine struct {
	ringing.Ringer
	t       *testing.T
	dir     string
	environ []string
	now     time.Time
	status  int // of ntfy; 0 means success

	mu     sync.Mutex
	pushed []string
}

// Crontab lines use the machine's zone, so tests set it to UTC.
func init() { time.Local = time.UTC }

const crontab = `#!/bin/sh
SPOOL=${0%/*}/../spool
case "$1" in
-l) [ -f "$SPOOL" ] || { echo "no crontab for tester" >&2; exit 1; }; exec cat "$SPOOL" ;;
-) exec cat > "$SPOOL" ;;
esac
`

func newMachine(t *testing.T) *machine {
	t.Helper()
	w := &machine{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local)}
	w.write("bin/crontab", crontab)
	w.write("bin/notify-send", "#!/bin/sh\nshift 5\nprintf '%s\\n' \"$@\" >> \"${0%/*}/../seen\"\n")
	w.environ = []string{"PATH=" + w.dir + "/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR=" + w.dir}
	client := toolstest.Client(t, map[string]http.HandlerFunc{"ntfy.sh": func(answer http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.pushed = append(w.pushed, r.URL.Path+" "+string(content))
		if w.status != 0 {
			answer.WriteHeader(w.status)
		}
		_, _ = io.WriteString(answer, `{"id":"sPs71M8A2T","time":1643935928,"event":"message","topic":"t","message":"x"}`)
	}})
	home := persistence.Open(w.dir+"/home", func() time.Time { return w.now })
	w.Ringer = ringing.Ringer{Home: home, Client: client, Program: "/opt/marvin", SystemZone: w.dir + "/no zone", NoCron: func([]string) string { return "" }}
	return w
}

func (w *machine) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), disktest.WriteProgram(path, []byte(content), 0o755)); err != nil {
		w.t.Fatal(err)
	}
}

// file returns a file's content, or "".
func (w *machine) file(name string) string {
	content, _ := os.ReadFile(filepath.Join(w.dir, name))
	return string(content)
}

// set sets an alarm that rings after the given time.
func (w *machine) set(label string, in time.Duration) {
	w.t.Helper()
	if noCron, err := w.Set(w.t.Context(), w.environ, personal.Alarm{Label: label, Time: w.now.Add(in), Profile: "default"}); noCron != "" || err != nil {
		w.t.Fatal(noCron, err)
	}
}

// left returns the labels of the remaining alarms.
func (w *machine) left() string {
	w.t.Helper()
	alarms, err := personal.AlarmsOf(w.Home).All()
	if err != nil {
		w.t.Fatal(err)
	}
	labels := make([]string, len(alarms))
	for i, alarm := range alarms {
		labels[i] = alarm.Label
	}
	return strings.Join(labels, " ")
}
