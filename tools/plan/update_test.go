package plan_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/plan"
)

func call(t *testing.T, args string) (messages.Plan, string, error) {
	t.Helper()
	var set messages.Plan
	decoded, err := plan.Tools()[0].Decode(json.RawMessage(args))
	if err != nil {
		return set, "", err
	}
	output, err := decoded.Run(context.Background(), tools.Env{Conversation: tools.Conversation{SetPlan: func(plan messages.Plan) { set = plan }}})
	return set, output.Text, err
}

func TestAPlanAsModelsWriteIt(t *testing.T) {
	want := "[x] look\n[>] mend\n[ ] test\n[-] tell"
	for _, args := range []string{
		`{"plan":[{"step":"look","status":"done"},{"step":"mend","status":"in_progress"},{"step":"test","status":"pending"},{"step":"tell","status":"cancelled"}]}`,
		`{"todos":[{"content":"look","status":"completed","activeForm":"Looking"},{"content":"mend","status":"in_progress"},{"content":"test"},{"content":"tell","status":"canceled"}]}`,
		`{"steps":"[{\"title\":\"look\",\"status\":\"Finished\"},{\"title\":\"mend\",\"status\":\"in progress\"},{\"title\":\"test\",\"status\":\"todo\"},{\"title\":\"tell\",\"status\":\"skipped\"}]"}`,
	} {
		if got, said, err := call(t, args); err != nil || got.String() != want || !strings.Contains(said, "2 of 4 · now: mend") {
			t.Errorf("%s:\n%s\n%s %v", args, got, said, err)
		}
	}
	if got, _, err := call(t, `{"plan":"read; mend ;test"}`); err != nil || got.String() != "[ ] read\n[ ] mend\n[ ] test" {
		t.Errorf("%s %v", got, err)
	}
	if got, said, err := call(t, `{"plan":[]}`); err != nil || len(got.Steps) != 0 || !strings.Contains(said, "plan was removed") {
		t.Errorf("%s %s %v", got, said, err)
	}
}

func TestOneStepIsInProgress(t *testing.T) {
	got, said, err := call(t, `{"plan":[{"step":"a","status":"in_progress"},{"step":"b","status":"in_progress"}]}`)
	if err != nil || got.String() != "[>] a\n[ ] b" || !strings.Contains(said, "Only one") {
		t.Errorf("%s %s %v", got, said, err)
	}
}

func TestUnreadablePlanIsRefused(t *testing.T) {
	many := `{"plan":[` + strings.TrimSuffix(strings.Repeat(`{"step":"again","status":"pending"},`, 10_000), ",") + `]}`
	for args, want := range map[string]string{
		many: "10000 steps",
		`{"plan":[{"step":" ","status":"done"}]}`:    "step 1 is empty",
		`{"plan":[{"step":"a","status":"perhaps"}]}`: "perhaps",
		`{"plan":[7]}`: "Example",
		`{}`:           "plan is required",
	} {
		if got, _, err := call(t, args); err == nil || !strings.Contains(err.Error(), want) || len(got.Steps) > 0 {
			t.Errorf("%.60s: %v %v", args, got, err)
		}
	}
	got, _, err := call(t, `{"plan":["\u001b[2J`+strings.Repeat("ü", 400)+`\nsecond line"]}`)
	if text := got.Steps[0].Text; err != nil || len(text) > 310 || strings.ContainsAny(text, "\x1b\n") {
		t.Errorf("%q %v", text, err)
	}
}

// The schema must stay small, because every request contains it.
func TestTheSchemaOfAPlanIsSmall(t *testing.T) {
	tool := plan.Tools()[0]
	schema, err := tool.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if size := tools.EstimateTokens(tool.Name + tool.Doc + string(schema)); size > 150 {
		t.Errorf("%d tokens: %s", size, schema)
	}
}
