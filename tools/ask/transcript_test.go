package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/ask"
)

func TestAskTool(t *testing.T) {
	var person func(tools.Inquiry) (tools.Reply, error)
	stated := func(inquiry tools.Inquiry) (tools.Reply, error) {
		return tools.Reply{Answer: messages.Asked{Kind: inquiry.Kind, Questions: inquiry.Questions}.Stated()}, nil
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (string, error) {
		if name == "person" {
			how, what, _ := strings.Cut(args, " ")
			switch how {
			case "nobody":
				person = nil
			case "fails":
				person = func(tools.Inquiry) (tools.Reply, error) { return tools.Reply{}, errors.New("the screen is gone") }
			case "silence":
				person = func(inquiry tools.Inquiry) (tools.Reply, error) {
					reply, err := stated(inquiry)
					reply.Unanswered = what
					return reply, err
				}
			case "no":
				person = func(tools.Inquiry) (tools.Reply, error) {
					return tools.Reply{Answer: messages.Answer{Choice: messages.No, Text: what}}, nil
				}
			default:
				var chosen []messages.Chosen
				if err := json.Unmarshal([]byte(what), &chosen); err != nil {
					return "", err
				}
				person = func(tools.Inquiry) (tools.Reply, error) {
					return tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Chosen: chosen}}, nil
				}
			}
			return "", nil
		}
		args = strings.NewReplacer("LONG", strings.Repeat("é", 60), "LONGER", strings.Repeat("é", 501)).Replace(args)
		call, err := ask.Tools()[0].Decode(json.RawMessage(args))
		if err != nil {
			return "", errors.New(strings.SplitN(err.Error(), "\nParameters", 2)[0])
		}
		asked, env := "", tools.Env{}
		if person != nil {
			env.Ask = func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
				questions, err := json.Marshal(inquiry.Questions)
				asked = "asked " + inquiry.Title + " (" + inquiry.Wait.String() + ") " + string(questions) + "\n" + inquiry.Detail + "\n"
				if err != nil {
					return tools.Reply{}, err
				}
				return person(inquiry)
			}
		}
		output, err := call.Run(t.Context(), env)
		if output.Summary != "" {
			output.Text += "\nin short: " + output.Summary
		}
		return asked + output.Text, err
	})
}
