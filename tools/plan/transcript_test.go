package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// TestPlanTool shows plans, completes their steps, and proposes plans, with every possible reply of
// the user.
func TestPlanTool(t *testing.T) {
	env := toolstest.Env(t)
	var told []string
	env.SetPlan = func(plan messages.Plan) {
		encoded, err := json.Marshal(plan)
		told = append(told, fmt.Sprintf("shown %s %v", encoded, err))
	}
	var reply tools.Reply
	var failed error
	asked := func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		told = append(told, fmt.Sprintf("asked %s %q %q for %s", inquiry.Kind, inquiry.Title, inquiry.Detail, inquiry.Wait))
		return reply, failed
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "mode":
			env.Approval = messages.Approval(args)
			return "", nil
		case "somebody":
			env.Ask = asked
			return "", nil
		case "reply":
			reply, failed = tools.Reply{}, nil
			return "", json.Unmarshal([]byte(args), &reply)
		case "fails":
			failed = errors.New(args)
			return "", nil
		case "nobody":
			env.SetPlan = nil
			return "", nil
		case "many":
			var steps []string
			for i := range mostSteps + 1 {
				steps = append(steps, fmt.Sprintf(`{"step":"%d","status":"pending"}`, i))
			}
			if args == "most" {
				steps = steps[:mostSteps]
			}
			tool, args = "update_plan", `{"plan":[`+strings.Join(steps, ",")+`]}`
		}
		text, err := toolstest.Call(t, Tools(), env, tool, args)
		lines := append(told, text)
		told = nil
		return strings.Join(lines, "\n"), err
	})
}
