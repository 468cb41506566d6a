package plain

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
)

// happens is something that is heard, at random.
func happens(random *rand.Rand, number int) messages.Event {
	id := fmt.Sprint(number)
	asked := messages.Asked{Ask: id, Kind: messages.AskConsent, Tool: "run_command", Title: "Run " + id + "?", Detail: "ls " + id, Choices: []messages.Choice{messages.Yes, messages.Always, messages.No}, Always: "all `ls`"}
	switch random.IntN(17) {
	case 0, 1:
		return messages.TurnStarted{Prompt: "prompt " + id}
	case 2:
		return messages.TurnEnded{Outcome: []messages.Outcome{messages.Completed, messages.Failed, messages.Cancelled}[random.IntN(3)], Text: "said", Err: []string{"", "it broke " + id}[random.IntN(2)]}
	case 3:
		return messages.ToolStarted{Call: "c", Name: "read_file", Title: "read_file " + id}
	case 4:
		return messages.ToolOutput{Call: "c", Chunk: "out " + id + "\n"}
	case 5:
		return messages.ToolEnded{Call: "c", Name: "read_file", Status: []messages.Status{messages.OK, messages.ToolError, messages.Denied}[random.IntN(3)], Summary: "sum " + id, Text: "one\n" + id, Took: 2 * time.Second}
	case 6:
		return messages.Notice{Level: []messages.Level{messages.Info, messages.Warning, messages.Problem}[random.IntN(3)], Text: "note " + id + "\nbelow"}
	case 7:
		return messages.Thinking{Chunk: "I think of " + id + "\n"}
	case 8:
		return messages.PlanChanged{Plan: messages.Plan{Steps: []messages.Step{{Text: "read " + id, Status: messages.StepDone}, {Text: "do", Status: messages.StepInProgress}}[:random.IntN(3)]}}
	case 9:
		return messages.Waiting{Why: "limited " + id}
	case 10:
		return asked
	case 11:
		asked.Kind, asked.Title, asked.More = messages.AskForm, "A form "+id, "what it is\nabout"
		asked.Fields = []messages.Field{{Name: "name", Title: "Your name", Doc: "as on the card", Type: messages.StringField, Required: true}, {Name: "count", Type: messages.NumberField, Default: 3.0}, {Name: "size", Doc: "of it", Type: messages.EnumField, Options: []string{"small", "large"}, Default: "large"}}
		return asked
	case 12:
		asked.Kind, asked.Title = messages.AskChoice, "Questions "+id
		asked.Questions = []messages.Question{{Text: "Where?", Free: true, Options: []messages.Option{{Label: "here", Reason: "near"}, {Label: "there", Recommended: true}}}, {Text: "Which?", Several: true, Options: []messages.Option{{Label: "red"}, {Label: "blue"}}}}
		return asked
	default:
		return messages.Text{Chunk: []string{"word " + id + " ", "A paragraph of " + id + ".\n\n", "- item\n", "\n```\ncode\n```\n", "**bold " + id}[random.IntN(5)]}
	}
}

// Keys that wait for nothing beside the line and what is heard, in no order, and what each writes, stand in this file; UPDATE_GOLDEN=1
// writes it anew.
func TestGoldenStepsInNoOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	keys := append(strings.Fields("left right alt-b alt-f home end backspace delete ctrl-w ctrl-k ctrl-y alt-y ctrl-j up down ctrl-r ctrl-g esc ctrl-p shift-tab ctrl-_ enter enter enter enter"),
		"'a", "'1", "'2", "'y", "'n do else", "'two words", "'@ma", "'é日", "'/he", "'v", "paste one\ntwo", "ctrl-u", "'go", "'git")
	var all strings.Builder
	for _, provider := range []string{"groq", "offline"} {
		w := person(t)
		w.Screen.Config.Clipboard = nil
		begins := opened
		begins.Provider = provider
		w.hears(begins)
		wander(w, random, keys)
		all.WriteString(w.all.String())
	}
	goldentest.Hold(t, "wandered.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// wander takes many steps.
func wander(w *walk, random *rand.Rand, keys []string) {
	asked := ""
	for number := range 300 {
		w.now = w.now.Add(time.Duration(random.IntN(900)) * time.Millisecond)
		switch n := random.IntN(10); {
		case n < 6:
			w.keys(keys[random.IntN(len(keys))])
		case n == 6 && asked != "":
			w.hears(messages.Answered{Ask: asked, Choice: messages.No})
		default:
			event := happens(random, number)
			if one, is := event.(messages.Asked); is {
				asked = one.Ask
			}
			w.hears(event)
		}
	}
}
