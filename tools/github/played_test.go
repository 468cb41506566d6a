package github

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// A GitHub server for the real gh: gh treats every host except github.com as a GitHub Enterprise
// server at https://HOST/api/v3. The replies follow https://docs.github.com/en/rest (pulls,
// issues/comments, checks/runs, commits/statuses, actions/workflow-jobs), version 2022-11-28,
// without unused fields.

const headSHA = "6dcb09b5b57875f334f61aebed695e2e4193db5e"

type github struct {
	t      *testing.T
	server *httptest.Server

	mu      sync.Mutex
	runs    string // check_runs
	posted  []string
	asked   []string
	replies map[string]reply
}

type reply struct {
	status int
	body   string
}

// plays starts the server. The environment has the real gh with a token for the server, and a
// working directory with a repository whose origin is the server.
func plays(t *testing.T) (*github, tools.Env) {
	t.Helper()
	if _, err := exec.LookPath("gh"); err != nil {
		t.Skip("gh is not installed")
	}
	g := &github{t: t, runs: passedRuns, replies: map[string]reply{}}
	g.server = httptest.NewTLSServer(http.HandlerFunc(g.serve))
	t.Cleanup(g.server.Close)
	env := machine(t, "", "gh", "git")
	authority := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw})
	if err := os.WriteFile(authority, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	// gh ends before its heap is large, so it needs no garbage collection: 60 ms of processor time
	// instead of 90.
	env.Environ = append(env.Environ, "SSL_CERT_FILE="+authority, "GH_HOST="+g.host(), "GH_ENTERPRISE_TOKEN=S3cr3t", "GOGC=off")
	env.Dir, env.Coding = t.TempDir(), true
	g.repository(env.Dir, "https://"+g.host()+"/them/tool.git")
	return g, env
}

func (g *github) host() string { return strings.TrimPrefix(g.server.URL, "https://") }

func (g *github) repository(dir, origin string) {
	g.t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "mend/it"}, {"remote", "add", "origin", origin}} {
		command := exec.Command("git", args...)
		command.Dir = dir
		if said, err := command.CombinedOutput(); err != nil {
			g.t.Fatalf("%s: %v", said, err)
		}
	}
}

const (
	thePull     = `{"url":"https://HOST/api/v3/repos/them/tool/pulls/7","id":1,"number":7,"state":"open","locked":false,"title":"Mend the parser","user":{"login":"octocat","id":1},"body":"It was broken.\r\nNow it is not.\u202e","created_at":"2026-01-26T19:01:12Z","updated_at":"2026-01-27T19:01:12Z","closed_at":null,"merged_at":null,"merge_commit_sha":"e5bd3914e2e596debea16f433f57875b5b90bcd6","html_url":"https://HOST/them/tool/pull/7","head":{"label":"them:mend/it","ref":"mend/it","sha":"` + headSHA + `","user":{"login":"them"}},"base":{"label":"them:main","ref":"main","sha":"c3d0be41ecbe669545ee3e94d31ed9a4bc91ee3c"},"draft":false,"merged":false,"mergeable":true,"rebaseable":true,"mergeable_state":"clean","merged_by":null,"comments":1,"review_comments":1,"maintainer_can_modify":false,"commits":3,"additions":100,"deletions":3,"changed_files":5}`
	passedRuns  = `[{"id":41,"head_sha":"` + headSHA + `","html_url":"https://HOST/them/tool/actions/runs/9/job/41","status":"completed","conclusion":"success","started_at":"2026-01-27T19:01:12Z","completed_at":"2026-01-27T19:02:30Z","output":{"title":null,"summary":null,"text":null,"annotations_count":0},"name":"lint","app":{"id":15368,"slug":"github-actions","name":"GitHub Actions"}}]`
	runningRuns = `[{"id":42,"head_sha":"` + headSHA + `","html_url":"https://HOST/them/tool/actions/runs/9/job/42","status":"in_progress","conclusion":null,"started_at":"2026-01-27T19:01:12Z","completed_at":null,"output":{"title":null,"summary":null},"name":"test (linux)","app":{"slug":"github-actions"}}]`
	failedRuns  = `[{"id":42,"head_sha":"` + headSHA + `","html_url":"https://HOST/them/tool/actions/runs/9/job/42","status":"completed","conclusion":"failure","started_at":"2026-01-27T19:01:12Z","completed_at":"2026-01-27T19:05:24Z","output":{"title":null,"summary":null},"name":"test (linux)","app":{"slug":"github-actions"}},` +
		`{"id":43,"html_url":"https://ci.example/1","status":"completed","conclusion":"timed_out","started_at":null,"completed_at":null,"output":{"title":"Too slow","summary":"It took\nmore than an hour"},"name":"bench","app":{"slug":"other-ci"}},` +
		`{"id":44,"status":"queued","conclusion":null,"name":"deploy","output":{"title":null,"summary":null},"app":{"slug":"github-actions"}}]`
	theJob = `{"id":42,"run_id":9,"workflow_name":"CI","head_branch":"mend/it","status":"completed","conclusion":"failure","name":"test (linux)","steps":[{"name":"Set up job","status":"completed","conclusion":"success","number":1},{"name":"Run go test ./...","status":"completed","conclusion":"failure","number":4},{"name":"Post Run actions/checkout@v4","status":"completed","conclusion":"success","number":9}]}`
	theLog = "\ufeff2026-01-27T19:01:13.0123456Z ##[group]Run go test ./...\n2026-01-27T19:01:13.0123456Z \x1b[36;1mgo test ./...\x1b[0m\n2026-01-27T19:01:13.0123456Z ##[endgroup]\n" +
		"2026-01-27T19:05:20.0123456Z --- FAIL: TestEmpty (0.00s)\n2026-01-27T19:05:20.0123456Z     parser_test.go:12: got \"\", want an error\n2026-01-27T19:05:21.0123456Z ##[error]Process completed with exit code 1.\n" +
		"2026-01-27T19:05:22.0123456Z Post job cleanup.\n"
)

// answers returns the replies to GET requests, by path and query.
func (g *github) answers() map[string]string {
	const at = "/api/v3/repos/them/tool"
	return map[string]string{
		at:                                   `{"id":1296269,"name":"tool","full_name":"them/tool","default_branch":"main","private":false}`,
		at + "/pulls?per_page=30&state=open": "[" + thePull + "]",
		at + "/pulls?head=them%3Amend%2Fit&per_page=1&state=all": "[" + thePull + "]",
		at + "/pulls/7":                                     thePull,
		at + "/issues/7/comments?per_page=100":              `[{"id":1,"html_url":"https://HOST/them/tool/issues/7#issuecomment-1","user":{"login":"ann"},"created_at":"2026-01-28T10:00:00Z","body":"And the tests?"}]`,
		at + "/pulls/7/reviews?per_page=100":                `[{"id":80,"user":{"login":"bob"},"body":"Not yet.","state":"CHANGES_REQUESTED","submitted_at":"2026-01-27T20:00:00Z","commit_id":"` + headSHA + `"},{"id":81,"user":{"login":"bob"},"body":"","state":"COMMENTED","submitted_at":"2026-01-27T20:01:00Z"}]`,
		at + "/pulls/7/comments?per_page=100":               `[{"id":10,"pull_request_review_id":80,"path":"parser.go","line":12,"side":"RIGHT","user":{"login":"bob"},"body":"This is never nil.","created_at":"2026-01-27T20:00:01Z"}]`,
		at + "/commits/" + headSHA + "/status?per_page=100": `{"state":"success","total_count":1,"sha":"` + headSHA + `","statuses":[{"context":"licence/cla","state":"success","description":"signed","target_url":"https://cla.example"}]}`,
		at + "/actions/jobs/42":                             theJob,
		at + "/actions/jobs/42/logs":                        theLog,
	}
}

func (g *github) serve(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked := r.URL.Path
	if r.URL.RawQuery != "" {
		asked += "?" + r.URL.RawQuery
	}
	g.asked = append(g.asked, r.Method+" "+r.URL.EscapedPath())
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if r.Header.Get("Authorization") != "token S3cr3t" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest"}`)
		return
	}
	if said, ok := g.replies[r.Method+" "+asked]; ok {
		w.WriteHeader(said.status)
		fmt.Fprint(w, said.body)
		return
	}
	body, known := g.answers()[asked]
	switch {
	case r.Method == http.MethodPost:
		content, _ := io.ReadAll(r.Body)
		g.posted = append(g.posted, asked+" "+string(content))
		w.WriteHeader(http.StatusCreated)
		body = `{"number":8,"html_url":"https://HOST/them/tool/pull/8"}`
	case strings.HasSuffix(asked, "/check-runs?per_page=100&filter=latest"):
		body = fmt.Sprintf(`{"total_count":1,"check_runs":%s}`, g.runs)
	case r.Header.Get("Accept") == asSHA:
		body = headSHA
	case r.Header.Get("Accept") == asDiff:
		body = "diff --git a/parser.go b/parser.go\n--- a/parser.go\n+++ b/parser.go\n@@ -1 +1 @@\n-broken\n+mended\n"
	case !known:
		w.WriteHeader(http.StatusNotFound)
		body = `{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}`
	}
	fmt.Fprint(w, body)
}

// set replaces the check runs.
func (g *github) set(runs string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.runs = runs
}

func (g *github) says(what string, status int, body string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.replies[what] = reply{status, body}
}

// sent returns the only request that was posted.
func (g *github) sent(t *testing.T) (path string, body map[string]any) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.posted) != 1 {
		t.Fatalf("posted were %q", g.posted)
	}
	path, text, _ := strings.Cut(g.posted[0], " ")
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		t.Fatal(err)
	}
	return path, body
}

func said(t *testing.T, env tools.Env, name, args string) string {
	t.Helper()
	text, err := call(t, env, name, args)
	if err != nil {
		t.Fatalf("%s %s: %v", name, args, err)
	}
	return text
}

func wants(t *testing.T, text string, wanted ...string) {
	t.Helper()
	toolstest.CheckParts(t, text, wanted...)
}
