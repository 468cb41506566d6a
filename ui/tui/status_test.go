package tui_test

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/tui"
)

func TestTheStatusLineTellsOfJobsAndSubAgents(t *testing.T) {
	talk := newScripted()
	jobs := 0
	asked := make(chan int, 1)
	p := sitWith(t, talk, 130, 12, func(c *tui.Config) {
		c.Place = func(string) string { return "~/project, branch main" }
		c.Jobs = func(string) int { // called one after the other
			if len(asked) > 0 {
				jobs = <-asked
			}
			return jobs
		}
	})
	talk.say(opened)
	f := p.sees("branch main")
	first := f.rows[0]
	if who, _, _ := f.styles["test-model"].Decompose(); who == tcell.ColorDefault {
		t.Error("who answers does not stand out")
	}
	if strings.Contains(first, "job") || strings.Contains(first, "agent") {
		t.Errorf("without any it says %s", first)
	}
	asked <- 2
	talk.say(messages.TurnStarted{Prompt: "go"}, messages.ToolStarted{Call: "1", Name: "launch_agent"},
		messages.AgentChanged{Call: "1", Agent: 1, State: messages.AgentWorking}, messages.AgentChanged{Call: "1", Agent: 2, State: messages.AgentEnded},
		messages.ToolStarted{Call: "2", Name: "say"}, messages.ToolEnded{Call: "2", Name: "say", Status: messages.OK})
	p.sees("2 jobs (/jobs) · 1 sub-agent")
	asked <- 1
	talk.say(messages.Notice{Text: "a job ended"}) // nothing else reports its end
	p.sees("1 job (/jobs) · 1 sub-agent")
	p.wire.become(44, 12)
	f = p.until("the jobs stay where there is less room", func(f frame) bool {
		return strings.Contains(f.rows[0], "1 job") && !strings.Contains(f.rows[0], "(/jobs)")
	})
	if strings.Contains(f.rows[0], "messages") {
		t.Errorf("it says %s", f.rows[0])
	}
}

func TestStatusLineShowsWhatUserWants(t *testing.T) {
	for want, order := range map[string][]string{
		" plan: no changes · test-model": {"approval", "model", "messages", "cost"},
		"":                               {},
	} {
		talk := newScripted()
		p := sitWith(t, talk, 100, 12, func(c *tui.Config) { c.Status = order })
		talk.say(opened, messages.ModeChanged{Approval: messages.ApprovePlan}, messages.Notice{Text: "there"})
		p.sees("there")
		p.until("as it was wanted: "+want, func(f frame) bool { return strings.TrimSpace(f.rows[0]) == strings.TrimSpace(want) })
	}
}
