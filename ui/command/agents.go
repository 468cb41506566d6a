package command

import (
	"fmt"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/ui/conversation"
	"marvin/ui/slash"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

type agents struct{ *Env }

// take executes /agents. The text "" lists the running sub-agents, "N" shows sub-agent N, and "stop
// N" stops sub-agent N.
func (a agents) take(text string) {
	word, number := slash.CutWord(text)
	stop := strings.EqualFold(word, "stop")
	if !stop {
		number = word
	}
	all := a.Talk.Running()
	switch at, err := strconv.Atoi(number); {
	case number == "" && !stop:
		a.list(all)
	case err != nil:
		a.warn("Usage: /agents lists the running sub-agents, /agents N shows what sub-agent N did, /agents stop N stops only that one.")
	case at < 1 || at > len(all):
		a.warn(fmt.Sprintf("Sub-agent %d is not running; /agents lists the running ones.", at))
	default:
		a.visit(all[at-1], stop)
	}
}

func (a agents) visit(one conversation.Agent, stop bool) {
	what := "show the sub-agent"
	if stop {
		what = "stop the sub-agent"
	}
	a.ask(what, messages.VisitAgent{Call: one.Call, Agent: one.Agent, Stop: stop})
}

func (a agents) list(all []conversation.Agent) {
	if len(all) == 0 {
		a.say("No sub-agent is running.")
		return
	}
	now := a.Now()
	line := func(one conversation.Agent) string {
		doing := string(one.State)
		if one.State == messages.AgentWorking && one.Doing != "" {
			doing = one.Doing
		}
		return termsafe.Line(one.Name + " · " + doing)
	}
	items, lines := make([]view.Item, len(all)), make([]string, len(all))
	for i, one := range all {
		since := view.Elapsed(now.Sub(one.Began).Round(1e9))
		items[i] = view.Item{Text: fmt.Sprintf("%d  %s", i+1, line(one)), Note: since}
		lines[i] = fmt.Sprintf("  %d  %s · %s", i+1, line(one), since)
	}
	if a.Front.Pick(Pick{
		List:   view.List{Title: "Which running sub-agent do you want to see?", Items: items},
		Chosen: func(at int) { a.visit(all[at], false) },
	}) {
		return
	}
	a.say("Running sub-agents (/agents N shows what sub-agent N did, /agents stop N stops it):\n" + strings.Join(lines, "\n"))
}
