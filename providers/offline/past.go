package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline/followup"
)

// past is the state of the conversation before a request. It is derived from the messages and never
// stored.
type past struct {
	followup.State
	exchanges []followup.Exchange // the requests before this one
	asked     reading             // the call that Marvin last asked about
	open      bool                // the question is not answered yet
}

// longestInquiry is the maximum number of requests between a question and its answer.
const longestInquiry = 4

func (m *Model) pastOf(question providers.Question) past {
	all := followup.Exchanges(question.Messages)
	if len(all) > 0 {
		all = all[:len(all)-1]
	}
	from := len(all)
	for from > 0 && len(all[from-1].Steps) == 0 && len(all)-from < longestInquiry {
		from--
	}
	before := past{State: followup.StateAfter(all), exchanges: all[:from]}
	for i := from; i < len(all); i++ {
		if followup.EndsWithQuestion(all[i].Said) {
			mean := m.meaning(all[i].Request, question, before)
			before.asked, before.open = mean.reading, mean.sure && len(mean.reading.missing) > 0
		} else { // the last answer was not a question
			before.open = false
		}
		before.exchanges = all[:i+1]
	}
	return before
}

// hasTargets reports whether a request can refer to something in the conversation.
func (p past) hasTargets() bool {
	_, thing := p.It("")
	_, spot := p.It(followup.Spot)
	return thing || spot || len(p.List) > 0
}

func (p past) last() (followup.Exchange, bool) {
	if len(p.exchanges) == 0 {
		return followup.Exchange{}, false
	}
	return p.exchanges[len(p.exchanges)-1], true
}

// explained returns true if an earlier answer told the user how to get a model.
func (p past) explained() bool {
	return slices.ContainsFunc(p.exchanges, func(exchange followup.Exchange) bool { return strings.Contains(exchange.Said, "`marvin doctor`") })
}

// goOn makes the next call of a request that needs several calls, if the last call succeeded.
func (m *Model) goOn(question providers.Question, results []messages.ToolResult, reply *providers.Reply) {
	all := followup.Exchanges(question.Messages)
	if len(all) == 0 || len(results) != 1 || !followup.Done(results[0]) || !followup.FirstOfTwo(results[0].Name) {
		return
	}
	list := question.Messages
	for len(list) > 0 && list[len(list)-1].Role != messages.User {
		list = list[:len(list)-1]
	}
	question.Messages = list
	mean := m.meaning(lastRequest(list), question, m.pastOf(question))
	done := len(all[len(all)-1].Steps)
	if !mean.sure || done == 0 || done > len(mean.then) {
		return
	}
	next := mean.then[done-1]
	reply.Text += "\n" + next.say(cmp.Or(mean.locale, m.spoken(lastRequest(list))))
	reply.Calls = []messages.ToolCall{{Name: next.tool.Name, Args: next.encode()}}
	reply.Finish = providers.Called
}

func describeLastCall(before past, locale string) string {
	exchange, ok := before.last()
	switch {
	case !ok:
		return localized("did nothing", locale) + "\n"
	case len(exchange.Steps) == 0:
		return fmt.Sprintf(localized("did answer", locale), exchange.Request) + "\n"
	}
	var text strings.Builder
	fmt.Fprintf(&text, localized("did call", locale)+"\n", exchange.Request)
	for _, step := range exchange.Steps {
		first, _, _ := strings.Cut(strings.TrimSpace(messages.ForPeople(messages.Unframe(step.Result.Text))), "\n")
		fmt.Fprintf(&text, "  %s %s: %s\n", step.Call.Name, step.Call.Args, first)
	}
	return text.String()
}
