package undo

import (
	"fmt"
	"slices"
	"strings"

	"marvin/persistence/undolog"
	"marvin/tools"
)

// Call is a tool call that a plan undoes or redoes. After [Plan.Apply], the caller runs Call.Back
// and reports the outcome with [Plan.RecordDone] or [Call.RecordFailure].
type Call struct {
	Title   string // title of the undone call
	Back    undolog.Reversal
	Refused string // reason why the call is not undone; "" if it is undone
	from    undolog.Record
	failed  string
	done    bool
}

func isCall(one undolog.Record) bool { return one.Dir == "" }

// callsOf returns the recorded tool calls, newest first.
func callsOf(records []undolog.Record) (calls []*Call) {
	for _, one := range slices.Backward(records) {
		if !isCall(one) {
			continue
		}
		call := &Call{Title: one.Title, Refused: one.Lost, from: one}
		switch {
		case one.Back != nil:
			call.Back = *one.Back
		case call.Refused == "":
			call.Refused = "Marvin does not know how to undo this call"
		}
		calls = append(calls, call)
	}
	return calls
}

// notUndoable returns the title of a call that cannot be undone, and any recorded reason.
func notUndoable(one undolog.Record) string {
	if one.Lost == "" {
		return tools.Visible(one.Title)
	}
	return tools.Visible(one.Title) + ": " + tools.Visible(one.Lost)
}

func (c *Call) describe() string {
	if c.Refused != "" {
		return "stays as it is: " + tools.Visible(c.Refused)
	}
	if c.Back.Tool == tools.PutBackName {
		return "its change will be reverted"
	}
	shown, _ := tools.Limits{Bytes: 500}.Cut(tools.ShowArgs(c.Back.Args))
	if !strings.Contains(shown, "\n") {
		return fmt.Sprintf("by %s (%s)", c.Back.Tool, shown)
	}
	return "by " + c.Back.Tool + "\n  " + strings.ReplaceAll(shown, "\n", "\n  ")
}

// RecordDone records that a call was undone or redone. inverse is the call that reverses the undo
// or redo, or nil if there is none.
func (p *Plan) RecordDone(call *Call, journal *undolog.Journal, inverse *tools.Inverse) error {
	call.done = true
	record := undolog.Record{Kind: p.kind(), Of: []int64{call.from.ID}, Turn: call.from.Turn, Tool: call.Back.Tool, Title: call.Title}
	switch {
	case inverse == nil:
		record.Lost = whyIrreversible(call.Back.Tool)
	case inverse.Tool == "":
		record.Lost = inverse.Lasts
	default:
		record.Back = &undolog.Reversal{Tool: inverse.Tool, Args: inverse.Args}
	}
	return journal.Add([]undolog.Record{record}, [][]byte{nil})
}

// RecordFailure records why a call was not undone.
func (c *Call) RecordFailure(why string) { c.failed = tools.Visible(why) }

// CallTitles returns the titles of the calls that were undone or redone.
func (p *Plan) CallTitles() (titles []string) {
	for _, call := range p.Calls {
		if call.done {
			titles = append(titles, call.Title)
		}
	}
	return titles
}
