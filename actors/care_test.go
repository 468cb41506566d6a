package actors_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/coding"
	"marvin/tools/files"
	"marvin/tools/shell"
)

// testRun prints a log of 54 KB, with a failure in its middle.
func testRun(number int) modeltest.Call {
	return modeltest.Call{Name: "run_command", Args: map[string]string{
		"command": fmt.Sprintf("seq -f 'run %d: case %%05.0f was read, posted, read again and is ok' 900 | sed '%ds/.*/FAIL of run %d/'", number, 400+number, number),
	}}
}

// wholeRun is the complete log of a run.
func wholeRun(number int) string {
	var text strings.Builder
	for i := range 900 {
		if i+1 == 400+number {
			fmt.Fprintf(&text, "FAIL of run %d\n", number)
			continue
		}
		fmt.Fprintf(&text, "run %d: case %05d was read, posted, read again and is ok\n", number, i+1)
	}
	return text.String()
}

// failures answers with the lines about failures that the results contain.
func failures(results []string) string {
	found := regexp.MustCompile(`FAIL of run \d+`).FindAllString(strings.Join(results, "\n"), -1)
	var once []string
	for _, one := range found {
		if !strings.Contains(strings.Join(once, "\n")+"\n", one+"\n") {
			once = append(once, one)
		}
	}
	return strings.Join(once, "\n")
}

// Over 30 rounds with long logs, a model receives less than half of the text of the whole logs and
// finds the same failures. Each request begins with the bytes of the previous one.
func TestLogsCostLessThanHalfAndTheAnswerIsTheSame(t *testing.T) {
	const runs = 15
	var calls []modeltest.Call
	for i := range runs {
		calls = append(calls, testRun(i), modeltest.Call{Name: "code_grep", Args: map[string]string{"path": fmt.Sprint("artifact:", i+1), "pattern": "FAIL"}})
	}
	script, cache := then(calls...), &keptPrompts{}
	server := modeltest.StartFunc(t, cache.told(func(request modeltest.Request) modeltest.Step {
		var results []string
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				results = append(results, message.Result.Text)
			}
		}
		if len(results) == len(calls) {
			return modeltest.Text(failures(results))
		}
		return script(request)
	}))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: t.TempDir(), Dir: t.TempDir(), Policy: &actors.Policy{Coding: true}, Tools: append(append(files.Tools(), shell.Tools()...), coding.Tools()...),
	})
	ended := tree.Prompt("run the tests, and say what fails").Ended
	var logs []string
	for i := range runs {
		logs = append(logs, wholeRun(i))
	}
	if want := failures(logs); ended.Text != want || strings.Count(want, "\n") != runs-1 {
		t.Fatalf("answered %q, in the whole logs is %q", ended.Text, want)
	}
	spent, whole, repeated, all := 0, 0, 0, 0
	requests := server.Requests()
	for i, request := range requests {
		tokens := tools.EstimateTokens(string(request.Raw))
		spent, whole = spent+tokens, whole+tokens
		for n, message := range request.Messages[len(request.Messages)-2*min(i, len(calls)):] {
			if message.Role == messages.Tool && n%4 == 1 {
				log, cut := tools.ResultLimits.Cut(logs[n/4])
				if cut {
					t.Fatal("a log is longer than any result may be")
				}
				whole += tools.EstimateTokens(log) - tools.EstimateTokens(message.Result.Text)
			}
		}
		if now := growing(t, request.Raw); i > 0 {
			before := growing(t, requests[i-1].Raw)
			repeated, all = repeated+common(before, now), all+len(before)
		}
	}
	t.Logf("%d tokens in %d requests, %d with whole logs: %d %% less; of the previous request %.4f is sent again as it was", spent, len(requests), whole, 100-100*spent/whole, float64(repeated)/float64(all))
	if len(requests) != len(calls)+1 || 2*spent > whole {
		t.Errorf("%d tokens in %d requests, %d with whole logs", spent, len(requests), whole)
	}
	if share := float64(repeated) / float64(all); share < 0.999 {
		t.Errorf("%.4f of the previous request is sent again as it was", share)
	}
}
