package github

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/toolstest"
)

const host = "api.github.com"

// The replies have the format of https://docs.github.com/en/rest/search/search.
var answers = map[string]string{
	"/search/repositories?per_page=2&q=cli+language%3Ago": `{"total_count":40,"incomplete_results":false,"items":[
	  {"id":1,"full_name":"cli/cli","private":false,"owner":{"login":"cli"},"html_url":"https://github.com/cli/cli","description":"GitHub’s official\ncommand line tool\u202e","url":"https://api.github.com/repos/cli/cli","stargazers_count":39123,"language":"Go"},
	  {"full_name":"a/b","html_url":"https://github.com/a/b","description":null,"stargazers_count":0,"language":null},{"full_name":"left/out"}]}`,
	"/search/code?per_page=10&q=cli+language%3Ago":    `{"items":[{"name":"main.go","path":"cmd/main.go","sha":"x","url":"https://api.github.com/x","html_url":"https://github.com/a/b/blob/x/cmd/main.go","repository":{"full_name":"a/b"},"text_matches":[{"property":"content","fragment":"func main() {\n\tcli()"}]}]}`,
	"/search/issues?per_page=10&q=cli+language%3Ago":  `{"items":[{"url":"https://api.github.com/repos/a/b/issues/7","repository_url":"https://api.github.com/repos/a/b","html_url":"https://github.com/a/b/pull/7","number":7,"title":"Fix","user":{"login":"x"},"state":"open","comments":3,"pull_request":{"url":"x"}}]}`,
	"/search/commits?per_page=10&q=cli+language%3Ago": `{"items":[{"sha":"0123456789abcdef","url":"https://api.github.com/x","html_url":"https://github.com/a/b/commit/0123456789abcdef","commit":{"message":"Subject\n\nBody","author":{"name":"Ann","email":"a@x","date":"2026-01-02T03:04:05Z"}},"repository":{"full_name":"a/b"}}]}`,
	"/search/users?per_page=10&q=cli+language%3Ago":   `{"items":[{"login":"torvalds","type":"User","html_url":"https://github.com/torvalds","url":"https://api.github.com/users/torvalds"}]}`,
}

var shown = map[string]string{
	"repositories": "1. cli/cli\n   GitHub’s official command line tool‹U+202E›\n   ★ 39,123 · Go · https://github.com/cli/cli\n\n2. a/b\n   ★ 0 · https://github.com/a/b",
	"code":         "1. a/b: cmd/main.go\n   func main() { cli()\n   https://github.com/a/b/blob/x/cmd/main.go",
	"issues":       "1. Fix\n   a/b · #7 · open · 3 comments · pull request\n   https://github.com/a/b/pull/7",
	"commits":      "1. Subject\n   a/b · 0123456789 · Ann · 2026-01-02\n   https://github.com/a/b/commit/0123456789abcdef",
	"users":        "1. torvalds\n   User · https://github.com/torvalds",
}

func arguments(kind string) string {
	if kind == "repositories" {
		return `{"query":"cli  language:go","max_results":2}`
	}
	return `{"query":"cli language:go","type":"` + kind + `"}`
}

func TestSearchWithoutGH(t *testing.T) {
	service := toolstest.AnswerPaths(t, answers)
	list := New(toolstest.Client(t, map[string]http.HandlerFunc{host: service}), "").Tools()
	for kind, want := range shown {
		if got, err := toolstest.Call(t, list, machine(t, ""), "github_search", arguments(kind)); err != nil || got != want {
			t.Errorf("%s: %v\n%s", kind, err, got)
		}
	}
	_, err := toolstest.Call(t, list, machine(t, ""), "github_search", `{"query":" "}`)
	toolstest.CheckError(t, err, "query is empty")
}

func withHTTP(t *testing.T, gh, args string, service http.HandlerFunc, environ ...string) (string, error) {
	t.Helper()
	env := machine(t, gh)
	env.Environ = append(env.Environ, environ...)
	return toolstest.Call(t, New(toolstest.Client(t, map[string]http.HandlerFunc{host: service}), "").Tools(), env, "github_search", args)
}

func TestRefusedSearches(t *testing.T) {
	for _, test := range []struct {
		status     int
		body, kind string
		environ    string
		want       string
	}{
		{403, `{"message":"API rate limit exceeded for 1.2.3.4. (But here's the good news)"}`, "users", "", "too many searches"},
		{429, `{"message":"slow"}`, "users", "", "too many searches"},
		{401, `{"message":"Requires authentication","errors":[]}`, "code", "", "a search for code needs a login"},
		{401, `{"message":"Bad credentials"}`, "code", "GH_TOKEN=S3cr3t", "rejected by GitHub"},
		{422, `{"message":"Validation Failed","errors":[{"field":"q"}]}`, "issues", "", "not understood by GitHub: Validation Failed"},
	} {
		_, err := withHTTP(t, "", arguments(test.kind), toolstest.Status(test.status, test.body), test.environ)
		toolstest.CheckError(t, err, test.want)
		if strings.Contains(err.Error(), "S3cr3t") {
			t.Error(err)
		}
	}
	env := machine(t, "")
	toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
		return toolstest.Call(t, New(client, "").Tools(), env, "github_search", `{"query":"x"}`)
	})
	got, err := withHTTP(t, "", `{"query":"zzz"}`, toolstest.Status(200, `{"total_count":0,"items":[]}`))
	if err != nil || !strings.Contains(got, `no repositories for "zzz"`) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestTheTokenIsForGitHubAlone(t *testing.T) {
	_, err := withHTTP(t, "", `{"query":"x"}`, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer S3cr3t" || strings.Contains(r.URL.RawQuery, "S3cr3t") {
			t.Errorf("%s with %q", r.URL, r.Header.Get("Authorization"))
		}
		toolstest.Status(200, `{"items":[]}`)(w, r)
	}, "GITHUB_TOKEN=S3cr3t")
	if err != nil {
		t.Error(err)
	}
}

// player is a gh that records its arguments and replies like gh. `gh search repos --json` without a
// value lists the JSON fields.
const player = `printf '%s\n' "$@" > "$HOME/argv"; echo "$GH_TOKEN $GH_PROMPT_DISABLED" > "$HOME/environ"
case "$1 $2" in
"search repos") echo '[{"description":"GitHub’s official\ncommand line tool\u202e","fullName":"cli/cli","language":"Go","stargazersCount":39123,"url":"https://github.com/cli/cli"},{"description":"","fullName":"a/b","language":"","stargazersCount":0,"url":"https://github.com/a/b"}]';;
"search code") echo '[{"path":"cmd/main.go","repository":{"id":"R","isFork":false,"isPrivate":false,"nameWithOwner":"a/b","url":"https://github.com/a/b"},"textMatches":[{"fragment":"func main() {\n\tcli()","matches":[],"property":"content","type":"FileContent"}],"url":"https://github.com/a/b/blob/x/cmd/main.go"}]';;
"search issues") echo '[{"author":{"login":"x"},"commentsCount":3,"number":7,"repository":{"name":"b","nameWithOwner":"a/b"},"state":"open","title":"Fix","url":"https://github.com/a/b/pull/7"}]';;
"search commits") echo '[{"commit":{"author":{"date":"2026-01-02T03:04:05Z","email":"a@x","name":"Ann"},"message":"Subject\n\nBody"},"repository":{"fullName":"a/b","name":"b"},"sha":"0123456789abcdef","url":"https://github.com/a/b/commit/0123456789abcdef"}]';;
"api --method") echo '{"total_count":1,"items":[{"login":"torvalds","type":"User","html_url":"https://github.com/torvalds","url":"https://api.github.com/users/torvalds"}]}';;
*) exit 1;;
esac`

func TestSearchWithGH(t *testing.T) {
	for kind, want := range shown {
		env := machine(t, player)
		env.Environ = append(env.Environ, "GITHUB_TOKEN=S3cr3t")
		got, err := call(t, env, "github_search", arguments(kind))
		if want := strings.Replace(want, " · pull request", "", 1); err != nil || got != want {
			t.Errorf("%s: %v\n%s", kind, err, got)
		}
		argv, err := os.ReadFile(filepath.Join(env.Home, "argv"))
		if ending := "\n--\ncli language:go\n"; err != nil || !strings.HasSuffix(string(argv), ending) && kind != "users" {
			t.Errorf("%s: %q, %v", kind, argv, err)
		}
		if kind == "users" && string(argv) != "api\n--method\nGET\nsearch/users\n-f\nq=cli language:go\n-F\nper_page=10\n" {
			t.Errorf("%q", argv)
		}
		if given, err := os.ReadFile(filepath.Join(env.Home, "environ")); err != nil || string(given) != "S3cr3t 1\n" {
			t.Errorf("%q, %v", given, err)
		}
	}
}

func TestQueriesAreNoOptions(t *testing.T) {
	env := machine(t, player)
	if _, err := call(t, env, "github_search", `{"query":"--web --owner=x","max_results":3}`); err != nil {
		t.Error(err)
	}
	argv, err := os.ReadFile(filepath.Join(env.Home, "argv"))
	if want := "search\nrepos\n--limit\n3\n--json\nfullName,description,stargazersCount,language,url\n--\n--web --owner=x\n"; err != nil || string(argv) != want {
		t.Errorf("%q, %v", argv, err)
	}
}

func TestWithoutALoginTheInterfaceIsAsked(t *testing.T) {
	gh := `echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4`
	got, err := withHTTP(t, gh, arguments("users"), toolstest.AnswerPaths(t, answers))
	if err != nil || got != shown["users"] {
		t.Errorf("%q, %v", got, err)
	}
	for gh, want := range map[string]string{
		`echo 'HTTP 422: Validation Failed (https://api.github.com/search)' >&2; exit 1`: "gh failed (exit code 1): HTTP 422: Validation Failed",
		`printf 'cli/cli\tdescription\tpublic\n'`:                                        "did not answer with the expected JSON",
	} {
		_, err := withHTTP(t, gh, arguments("users"), func(http.ResponseWriter, *http.Request) { t.Error("asked twice") })
		toolstest.CheckError(t, err, want)
	}
}
