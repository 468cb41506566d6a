package stack

import (
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "api.stackexchange.com"

func service(t *testing.T, handler http.HandlerFunc) []tools.Tool {
	t.Helper()
	return New(toolstest.Client(t, map[string]http.HandlerFunc{host: handler})).Tools()
}

func call(t *testing.T, handler http.HandlerFunc, name, args string) (string, error) {
	t.Helper()
	return toolstest.Call(t, service(t, handler), toolstest.Env(t), name, args)
}

// The reply has the format of https://api.stackexchange.com/docs/advanced-search.
const questions = `{"items":[{"tags":["go","json","http","a","b","c"],"owner":{"display_name":"x"},"is_answered":true,"view_count":9,"accepted_answer_id":5,"answer_count":3,"score":-2,"question_id":42,"link":"https://stackoverflow.com/questions/42/x","title":"Why is &quot;nil&quot; != nil &amp; &#39;x&#39;?"},
 {"tags":[],"is_answered":false,"answer_count":0,"score":0,"question_id":43,"link":"https://stackoverflow.com/questions/43/y","title":"Nothing\u202e"}],"has_more":true,"quota_max":300,"quota_remaining":297}`

func TestSearchAsksForTheFreeTextAndUnescapesTitles(t *testing.T) {
	got, err := call(t, toolstest.AnswerPaths(t, map[string]string{
		"/2.3/search/advanced?order=desc&pagesize=2&q=nil+error&site=unix&sort=votes&tagged=go%3Bjson": questions,
	}), "stack_search", `{"query":" nil  error","site":"https://unix.stackexchange.com/","tagged":"go, json","sort":"Votes","max_results":2}`)
	want := "1. ✓ Why is \"nil\" != nil & 'x'?\n   id 42 · score -2 · answers 3\n   Tags: go, json, http, a, b, 1 more\n   https://stackoverflow.com/questions/42/x\n\n" +
		"2. ✗ Nothing‹U+202E›\n   id 43 · score 0 · answers 0\n   https://stackoverflow.com/questions/43/y\n\n[297 requests left today]"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, toolstest.Status(http.StatusOK, `{"items":[],"has_more":false,"quota_remaining":1}`), "stack_search", `{"query":"zzz"}`)
	if err != nil || !strings.Contains(got, `No questions on stackoverflow for "zzz"`) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnswersAreAlwaysCompressed(t *testing.T) {
	got, err := call(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		packed := gzip.NewWriter(w)
		defer packed.Close()
		_, _ = packed.Write([]byte(questions))
	}, "stack_search", `{"query":"x"}`)
	if err != nil || !strings.Contains(got, "id 42") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnswersKeepCode(t *testing.T) {
	long := strings.Repeat("x := 1\\n", 400)
	got, err := call(t, toolstest.AnswerPaths(t, map[string]string{
		"/2.3/questions/42/answers?filter=withbody&order=desc&pagesize=3&site=stackoverflow&sort=votes": `{"items":[
		 {"owner":{"display_name":"Jon &amp; co"},"is_accepted":true,"score":7,"answer_id":5,"question_id":42,"body":"<p>Use <code>errors.Is</code> &lt;3:</p>\n<pre class=\"lang-go\"><code>if x {\n    y()\n}\n</code></pre>"},
		 {"owner":{"user_type":"does_not_exist"},"is_accepted":false,"score":1,"answer_id":6,"body":"<pre><code>` + long + `</code></pre>"}],"quota_remaining":9}`,
	}), "stack_answers", `{"id":"42"}`)
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, "1. by Jon & co · score 7 · accepted ✓ · id 5\nUse `errors.Is` <3:\n\n```\nif x {\n    y()\n}\n```\n\n2. by somebody · score 1 · id 6\n```\nx := 1\n", "…\n```\n\n[9 requests left today]")
	if len(got) > 2500 {
		t.Errorf("%d bytes", len(got))
	}
	got, err = call(t, toolstest.Status(http.StatusOK, `{"items":[],"quota_remaining":9}`), "stack_answers", `{"question_id":1}`)
	if err != nil || !strings.Contains(got, "has no answers on stackoverflow") {
		t.Errorf("%q, %v", got, err)
	}
	_, err = call(t, nil, "stack_answers", `{"question_id":0}`)
	toolstest.CheckError(t, err, "0 is not a question", "stack_search")
}

// The errors are quoted in meta.stackexchange.com/questions/256691 and
// stackapps.com/questions/2904.
func TestErrorsAreStatus400WithASentence(t *testing.T) {
	for body, want := range map[string]string{
		`{"error_id":400,"error_message":"No site found for name ` + "`nowhere`" + `","error_name":"bad_parameter"}`:                                    `no Stack Exchange site "nowhere"`,
		`{"error_id":502,"error_message":"too many requests from this IP, more requests available in 81930 seconds","error_name":"throttle_violation"}`: "available in 81930 seconds",
		`{"error_id":502,"error_message":"Violation of backoff parameter","error_name":"throttle_violation"}`:                                           "300 requests a day",
		`{"error_id":400,"error_message":"pagesize","error_name":"bad_parameter"}`:                                                                      "answered 400 Bad Request (pagesize)",
	} {
		_, err := call(t, toolstest.Status(http.StatusBadRequest, body), "stack_search", `{"query":"x","site":"nowhere"}`)
		toolstest.CheckError(t, err, want)
	}
	_, err := call(t, nil, "stack_search", `{"query":"x","site":"a b"}`)
	toolstest.CheckError(t, err, "not the name of a site", "serverfault")
	_, err = call(t, nil, "stack_answers", `{"question_id":1,"site":"a b"}`)
	toolstest.CheckError(t, err, "not the name of a site", "serverfault")
	_, err = call(t, nil, "stack_search", `{"query":" "}`)
	toolstest.CheckError(t, err, "query is empty")
}

func TestBackoffIsObeyed(t *testing.T) {
	asked := 0
	list := service(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		toolstest.Status(http.StatusOK, `{"items":[],"backoff":30,"quota_remaining":1}`)(w, r)
	})
	env := toolstest.Env(t)
	now := env.Now()
	env.Now = func() time.Time { return now }
	search := func() error {
		_, err := toolstest.Call(t, list, env, "stack_search", `{"query":"x"}`)
		return err
	}
	if err := search(); err != nil {
		t.Fatal(err)
	}
	now = now.Add(10 * time.Second)
	toolstest.CheckError(t, search(), "asks Marvin to wait", "Try again in 20s.")
	if _, err := toolstest.Call(t, list, env, "stack_answers", `{"question_id":1}`); err != nil {
		t.Errorf("another method: %v", err)
	}
	now = now.Add(20*time.Second - time.Millisecond) // the remaining pause is short, so the call waits
	if err := search(); err != nil || asked != 3 {
		t.Errorf("%v after %d requests", err, asked)
	}
}

func TestTheServiceFails(t *testing.T) {
	for name, args := range map[string]string{"stack_search": `{"query":"x"}`, "stack_answers": `{"question_id":1}`} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
		})
	}
}
