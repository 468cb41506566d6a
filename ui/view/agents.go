package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/conversation"
)

// agentRows is the maximum number of sub-agents shown below a call. If there are more, the most
// urgent ones are shown, followed by a summary.
const agentRows = 10

// agents lays out the sub-agents of the call, one per line.
func (b *Block) agents(width int, now time.Time) []Line {
	all, shown := b.Tool.Agents, b.agentsShown()
	var lines []Line
	for _, one := range shown {
		if b.Tool.Status != "" && urgency(one.State) != urgency(messages.AgentFailed) && one.State != messages.AgentEnded {
			one.State, one.Doing, one.Began = messages.AgentStopped, "", time.Time{}
		}
		lines = append(lines, agentLine(one, width, now))
	}
	if len(all) > len(shown) {
		lines = append(lines, Line{{Role: Faint, Text: Cut(agentSum(all), width)}})
	}
	return lines
}

// agentsShown returns the sub-agents that get a line.
func (b *Block) agentsShown() []conversation.Agent {
	shown := b.Tool.Agents
	if len(shown) > agentRows {
		shown = slices.Clone(shown)
		slices.SortStableFunc(shown, func(one, other conversation.Agent) int {
			return cmp.Compare(urgency(one.State), urgency(other.State))
		})
		shown = shown[:agentRows]
	}
	return shown
}

// AgentAt returns the sub-agent whose line is in the given row of the screen. It finds only
// sub-agents of a running call.
func AgentAt(w *Window, row int) (conversation.Agent, bool) {
	block := w.At(row)
	if block == nil || block.Tool == nil || block.Tool.Status != "" {
		return conversation.Agent{}, false
	}
	at := w.rows[row].line - 1 // the headline of the call precedes the agents
	if block.Gap {
		at--
	}
	if shown := block.agentsShown(); at >= 0 && at < len(shown) {
		return shown[at], true
	}
	return conversation.Agent{}, false
}

// urgency returns the rank of a state. The most urgent state has rank 0.
func urgency(state messages.AgentState) int {
	return slices.Index([]messages.AgentState{
		messages.AgentAsking, messages.AgentFailed, messages.AgentWorking, messages.AgentStopped, messages.AgentWaiting, messages.AgentEnded,
	}, state)
}

// agentLine returns the line of a sub-agent. Until the sub-agent ends, the line shows the time
// since its start.
func agentLine(one conversation.Agent, width int, now time.Time) Line {
	mark, role, took := "◦", Plain, now.Sub(one.Began).Truncate(time.Second)
	switch one.State {
	case messages.AgentEnded:
		mark, role, took = "✓", Faint, one.Took
	case messages.AgentFailed:
		mark, role, took = "✗", Problem, one.Took
	case messages.AgentStopped:
		mark, role, took = "–", System, one.Took
	case messages.AgentAsking:
		mark, role = "?", System
	}
	parts := []string{oneLine(one.Name)}
	if one.State == messages.AgentWorking && one.Doing != "" {
		parts = append(parts, oneLine(one.Doing))
	} else if one.State != messages.AgentEnded {
		parts = append(parts, string(one.State))
	}
	switch {
	case one.Rounds == 1:
		parts = append(parts, "1 round")
	case one.Rounds > 1:
		parts = append(parts, fmt.Sprintf("%d rounds", one.Rounds))
	}
	switch {
	case one.Tokens >= 1000:
		parts = append(parts, fmt.Sprintf("%.1fk tok", float64(one.Tokens)/1000))
	case one.Tokens > 0:
		parts = append(parts, fmt.Sprintf("%d tok", one.Tokens))
	}
	if one.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", one.Cost))
	}
	parts = append(parts, Elapsed(took))
	if one.Result != "" {
		parts = append(parts, withoutMarks(oneLine(one.Result)))
	}
	text, cut := fmt.Sprintf("   %s %d %s", mark, one.Agent, strings.Join(parts, " · ")), Cut
	if one.Result != "" {
		cut = cutWord
	}
	return Line{{Role: role, Text: cut(text, width)}}
}

// agentSum summarizes all sub-agents in one line.
func agentSum(all []conversation.Agent) string {
	ended, tokens, cost := 0, 0, 0.0
	for _, one := range all {
		switch one.State {
		case messages.AgentEnded, messages.AgentFailed, messages.AgentStopped:
			ended++
		}
		tokens, cost = tokens+one.Tokens, cost+one.Cost
	}
	return fmt.Sprintf("   %d of %d have ended · %.1fk tok · $%.4f", ended, len(all), float64(tokens)/1000, cost)
}
