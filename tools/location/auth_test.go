package location

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/tools/internal/toolstest"
)

// loggedIn plays gcloud; $0.log is what it was asked, one call a line.
const loggedIn = `echo "$*" >>"$0.log"
case "$*" in
"auth print-access-token") echo ya29.T0ken ;;
"auth login --brief") : ;;
"config get-value project") echo my-project-1 ;;
"services enable places.googleapis.com --project=my-project-1") : ;;
"auth application-default set-quota-project my-project-1") echo "no ADC" >&2; exit 1 ;;
*) echo "unexpected: $*" >&2; exit 9 ;;
esac
`

// gcloudLog is what the gcloud on the PATH was asked.
func (w *world) gcloudLog() string {
	w.t.Helper()
	path := w.env.Environ[len(w.env.Environ)-1]
	dir, _, _ := strings.Cut(strings.TrimPrefix(path, "PATH="), ":")
	content, err := os.ReadFile(filepath.Join(dir, "gcloud.log"))
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(string(content))
}

func TestALoginOfGcloudIsUsedAndKeptForFiftyMinutes(t *testing.T) {
	w := newWorld(t, map[string]http.HandlerFunc{google: func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer ya29.T0ken" || r.Header.Get("X-Goog-User-Project") != "my-project-1" || r.Header.Get("X-Goog-Api-Key") != "" {
			t.Errorf("headers %v", r.Header)
		}
		_, _ = io.WriteString(out, googleAnswer)
	}})
	w.program("gcloud", loggedIn)
	w.login("[core]\naccount = somebody@example.com\n")
	now := w.env.Now()
	w.env.Now = func() time.Time { return now }
	const once = "auth print-access-token\nconfig get-value project"
	for _, step := range []struct {
		later time.Duration
		log   string
	}{{0, once}, {49 * time.Minute, once}, {2 * time.Minute, once + "\n" + once}} {
		now = now.Add(step.later)
		if got, err := w.call("places_text_search", `{"query": "ramen"}`); err != nil || !strings.HasSuffix(got, "Source: Google Places.") {
			t.Fatalf("got %s, %v", got, err)
		}
		if got := w.gcloudLog(); got != step.log {
			t.Errorf("gcloud was asked:\n%s", got)
		}
	}
}

func TestATokenThatRanOutIsRenewedOnce(t *testing.T) {
	for accepted, want := range map[int]string{2: "Source: Google Places.", 99: "Google refused the key or the request"} {
		tries := 0
		w := newWorld(t, map[string]http.HandlerFunc{nominatim: toolstest.Status(200, "[]"), google: func(out http.ResponseWriter, _ *http.Request) {
			if tries++; tries < accepted {
				out.WriteHeader(http.StatusUnauthorized)
			}
			_, _ = io.WriteString(out, `{}`)
		}})
		w.program("gcloud", loggedIn)
		w.login("[core]\naccount = somebody@example.com\n")
		got, err := w.call("places_text_search", `{"query": "ramen"}`)
		if err != nil || !strings.Contains(got, want) || tries != 2 || strings.Count(w.gcloudLog(), "print-access-token") != 2 {
			t.Errorf("%d tries: %s, %v", tries, got, err)
		}
	}
}

func TestGcloudWithoutALoginIsAskedOnce(t *testing.T) {
	var asked []string
	w := newWorld(t, map[string]http.HandlerFunc{nominatim: mapOfUppsala(&asked)})
	w.login("[core]\naccount = somebody@example.com\n")
	w.program("gcloud", `echo "$*" >>"$0.log"; echo "You do not currently have an active account selected." >&2; exit 1`)
	for range 3 {
		got, err := w.call("places_text_search", `{"query": "ramen"}`)
		if err != nil || !strings.Contains(got, "need Google Places: see setup_google_auth") {
			t.Errorf("got %s, %v", got, err)
		}
	}
	if got := w.gcloudLog(); got != "auth print-access-token" {
		t.Errorf("gcloud was asked:\n%s", got)
	}
}

// A run of gcloud takes a second, and its files say beforehand that there is nothing to get.
func TestGcloudIsNotStartedForNothing(t *testing.T) {
	for name, before := range map[string]func(*world){
		"never used": func(*world) {},
		"revoked":    func(w *world) { w.login("[core]\nproject = my-project-1\n") },
	} {
		var asked []string
		w := newWorld(t, map[string]http.HandlerFunc{nominatim: mapOfUppsala(&asked)})
		w.program("gcloud", loggedIn)
		before(w)
		if got, err := w.call("places_text_search", `{"query": "ramen"}`); err != nil || !strings.Contains(got, "need Google Places: see setup_google_auth") || len(asked) == 0 {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
		dir, _, _ := strings.Cut(strings.TrimPrefix(w.env.Environ[len(w.env.Environ)-1], "PATH="), ":")
		if log, err := os.ReadFile(filepath.Join(dir, "gcloud.log")); err == nil {
			t.Errorf("%s: gcloud was asked %s", name, log)
		}
	}
}

func TestSetup(t *testing.T) {
	w := newWorld(t, nil)
	w.program("gcloud", loggedIn)
	got, err := w.call("setup_google_auth", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, "gcloud is logged in.\nProject: my-project-1\nEnabled places.googleapis.com.\nThe quota project", "no ADC", "Done:")
	want := "auth print-access-token\nconfig get-value project\nservices enable places.googleapis.com --project=my-project-1\nauth application-default set-quota-project my-project-1"
	if got := w.gcloudLog(); got != want {
		t.Errorf("gcloud was asked:\n%s", got)
	}
}

// A login waits for a person in a browser, so without one it must not begin.
func TestLoginNeedsUser(t *testing.T) {
	script := strings.Replace(loggedIn, "echo ya29.T0ken", "[ -e $0.in ] || { echo not logged in >&2; exit 1; }", 1)
	script = strings.Replace(script, `"auth login --brief") :`, `"auth login --brief") touch $0.in`, 1)
	w := newWorld(t, nil)
	w.program("gcloud", script)
	_, err := w.call("setup_google_auth", `{}`)
	toolstest.CheckError(t, err, "nobody is here to log in; run `gcloud auth login`", "GOOGLE_PLACES_API_KEY is not set")
	if got := w.gcloudLog(); got != "auth print-access-token" {
		t.Errorf("gcloud was asked:\n%s", got)
	}
	w.env.Person = true
	got, err := w.call("setup_google_auth", `{}`)
	if err != nil || !strings.Contains(got, "Logged in to Google Cloud.\nProject:") {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestSetupSaysWhatIsMissing(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"no project":     {"echo my-project-1", "echo '(unset)'", "gcloud has no project; run `gcloud config set project ID`"},
		"an odd project": {"echo my-project-1", "echo '-x y'", `"-x y", which is not a project id`},
		"no permission":  {"--project=my-project-1\") :", "--project=my-project-1\") echo PERMISSION_DENIED >&2; exit 1", "enable places.googleapis.com: gcloud services enable ended with 1: PERMISSION_DENIED"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			w.program("gcloud", strings.Replace(loggedIn, test.old, test.new, 1))
			_, err := w.call("setup_google_auth", `{}`)
			toolstest.CheckError(t, err, "not complete:\ngcloud is logged in.", test.want)
		})
	}
	w := newWorld(t, nil)
	w.env.Environ = append(w.env.Environ, keyed)
	got, err := w.call("setup_google_auth", `{}`)
	if err != nil || !strings.HasPrefix(got, "gcloud is not installed.\nGOOGLE_PLACES_API_KEY is set: searches use Google with this key.") || strings.Contains(got, "S3cr3t") {
		t.Errorf("got %s, %v", got, err)
	}
}

// A person is asked before anything is changed, but not before an explanation.
func TestSetupAsksFirst(t *testing.T) {
	w := newWorld(t, nil)
	call, err := w.service.authTool().Decode([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if title, _ := call.Confirm(w.env); title != "" {
		t.Errorf("asked %q", title)
	}
	w.program("gcloud", loggedIn)
	if title, detail := call.Confirm(w.env); title == "" || !strings.Contains(detail, "places.googleapis.com") {
		t.Errorf("asked %q, %q", title, detail)
	}
}
