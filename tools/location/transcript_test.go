package location

import (
	"os"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/tools/internal/toolstest"
)

// gcloud answers as the lines of the file GCLOUD say: the beginning of its arguments, and what
// it does then.
const gcloudScript = `while IFS='|' read -r args code text; do
case "$*" in "$args"*) [ "$code" = 0 ] && echo "$text" || echo "$text" >&2; exit "$code";; esac
done < "$GCLOUD"
echo "nothing was said for $*" >&2; exit 9
`

func TestPlaceTools(t *testing.T) {
	played := toolstest.FakeServer(t, nominatim, overpass, google, network)
	played.Shown = []string{"X-Goog-Api-Key", "Authorization", "X-Goog-User-Project"}
	w := newWorld(t, nil)
	home := persistence.Open(t.TempDir(), time.Now)
	w.service, w.env.Profile = New(played.Client, home), home.Profile("default").Dir
	now := w.env.Now()
	w.env.Now = func() time.Time { return now }
	settings := t.TempDir() + "/gcloud"
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", played.Command(func(tool, args string) (string, error) {
		switch tool {
		case "later":
			wait, err := time.ParseDuration(args)
			now = now.Add(wait)
			return "", err
		case "person":
			w.env.Person = args == "here"
			return "", nil
		case "key":
			w.env.Environ = append(w.env.Environ, googleKey+"="+args)
			return "", nil
		case "gcloud":
			if !strings.Contains(strings.Join(w.env.Environ, " "), "GCLOUD=") {
				w.program("gcloud", gcloudScript)
				w.env.Environ = append(w.env.Environ, "GCLOUD="+settings, "MARVIN_PASS_ENV=GCLOUD")
				w.login("[core]\naccount = me@example.org\n")
			}
			return "", os.WriteFile(settings, []byte(strings.ReplaceAll(args, "; ", "\n")+"\n"), 0o600)
		}
		return w.call(tool, args)
	}))
}
